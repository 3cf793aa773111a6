import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createLogger, silentLogger } from "../../../src/base/index.js";
import { type LanguageModel, loadLanguageModel } from "../../../src/language/index.js";
import { completionsBy } from "../../../src/service/completions/completions.js";
import { ModelProcess } from "../../../src/service/serving/modelProcess.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { testService } from "../support/testService.js";
import { writeSmallModel } from "./smallModel.js";

const base = temporaryFolder("models");
const folder = join(base, "data", "small");
mkdirSync(folder, { recursive: true });
writeSmallModel(folder);

const here = await loadLanguageModel(folder, { backend: "cpu", engine: "tensorflow" });
const computing = { backend: "cpu", engine: "tensorflow" } as const;
const there = new ModelProcess({
  reference: { pretrained: folder },
  results: base,
  logger: silentLogger,
  ...computing,
});
const facts = await there.open();
const model: LanguageModel = there.languageModel({ ...facts, tokenizer: here.tokenizer });
afterAll(async () => {
  await there.close();
  await here.dispose();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const limits = { maxNewTokens: 100, now: 7, signal: new AbortController().signal };
const text = { model: "small", prompt: "Hello", max_tokens: 8, temperature: 0, logprobs: 2, echo: true };

describe("a model in a process of its own", () => {
  it("says what it is", () => {
    expect(facts).toMatchObject({ contextLength: 64, tokenizerFolder: folder });
  });

  it("answers as one that is computed here", async () => {
    const settings = { maxNewTokens: 12, temperature: 0.7, seed: 4 };
    const requests = [{ prompt: "abc" }, { prompt: "Who is there?" }];
    const pieces: string[] = [];
    const answers = await model.generate(requests, {
      ...settings,
      onText: ({ index, text: piece }) => {
        pieces[index] = (pieces[index] ?? "") + piece;
      },
    });
    expect(answers).toEqual(await here.generate(requests, settings));
    expect(pieces).toEqual(answers.map((answer) => answer.text));
    const asked = [{ context: "a", continuation: "bc" }];
    expect(await model.logLikelihood(asked)).toEqual(await here.logLikelihood(asked));
    expect(await model.rollingLogLikelihood(["abcdef"])).toEqual(await here.rollingLogLikelihood(["abcdef"]));
    expect(await model.forward([[1, 2, 3]])).toEqual(await here.forward([[1, 2, 3]]));
  });

  it("answers OpenAI's protocol with the same tokens and probabilities", async () => {
    const { id: _, ...answer } = await there.completions.text(text as never, limits);
    const { id: __, ...expected } = await completionsBy(here).text(text as never, limits);
    expect(answer).toEqual(expected);
    const chat = {
      model: "small",
      messages: [{ role: "user", content: "Hi" }],
      max_tokens: 4,
      temperature: 0,
    };
    const { choices } = await there.completions.chat(chat as never, limits);
    expect(choices).toEqual((await completionsBy(here).chat(chat as never, limits)).choices);
  });

  it("tells errors as they are", async () => {
    const asked = there.completions.text({ ...text, prompt: "a".repeat(100) } as never, limits);
    await expect(asked).rejects.toMatchObject({ code: "DATA_INVALID" });
  });

  it("stops between two passes, and answers the next", async () => {
    const stop = new AbortController();
    let heard = 0;
    const long = model.generate(
      Array.from({ length: 200 }, () => ({ prompt: "a" })),
      {
        ...{ maxNewTokens: 60, temperature: 1, stopTokens: [], signal: stop.signal },
        onText: () => {
          if (heard++ === 0) stop.abort(new Error("enough"));
        },
      },
    );
    const next = model.generate([{ prompt: "abc" }], { maxNewTokens: 2 });
    await expect(long).rejects.toThrow("enough");
    expect(await next).toEqual(await here.generate([{ prompt: "abc" }], { maxNewTokens: 2 }));
  });

  it("lets who goes away while others are answered go at once", async () => {
    const end = new AbortController();
    const gone = new AbortController();
    let answered = false;
    const requests = Array.from({ length: 200 }, () => ({ prompt: "a" }));
    const long = model.generate(requests, {
      ...{ maxNewTokens: 60, temperature: 1, stopTokens: [], signal: end.signal },
      onText: () => gone.abort(new Error("gone")),
    });
    void long.catch(() => {
      answered = true;
    });
    const waiting = model.generate([{ prompt: "abc" }], { maxNewTokens: 2, signal: gone.signal });
    await expect(waiting).rejects.toThrow("gone");
    expect(answered).toBe(false);
    end.abort(new Error("enough"));
    await expect(long).rejects.toThrow("enough");
  });

  it("lets who goes away while another process is started go, and answers the next", async () => {
    process.kill(there.pid!, "SIGKILL");
    await vi.waitFor(() => expect(there.pid).toBe(undefined));
    const opening = vi.spyOn(there, "open");
    const gone = new AbortController();
    const waiting = model.generate([{ prompt: "abc" }], { maxNewTokens: 2, signal: gone.signal });
    await vi.waitFor(() => expect(opening).toHaveBeenCalled());
    let opened = false;
    void opening.mock.results[0]!.value.then(() => {
      opened = true;
    });
    const next = model.generate([{ prompt: "abc" }], { maxNewTokens: 2 });
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(opened).toBe(false);
    expect(await next).toHaveLength(1);
    expect(opening).toHaveBeenCalledTimes(1);
  });

  it("that dies fails its question, and another process answers the next", async () => {
    const before = there.pid!;
    const long = model.generate(
      Array.from({ length: 200 }, () => ({ prompt: "a" })),
      { maxNewTokens: 60, temperature: 1, onText: () => void process.kill(before, "SIGKILL") },
    );
    await expect(long).rejects.toMatchObject({ code: "WORKER_DIED" });
    expect(await model.generate([{ prompt: "abc" }], { maxNewTokens: 2 })).toHaveLength(1);
    expect(there.pid).not.toBe(before);
  });
});

it("that dies tells the log what it printed, and nobody else", async () => {
  const leaves = join(base, "leaves.mjs");
  writeFileSync(leaves, 'console.log("key=secret"); process.exit(5);');
  vi.stubEnv("NODE_OPTIONS", `--import ${pathToFileURL(leaves)}`);
  const lines: string[] = [];
  const dying = new ModelProcess({
    ...{ reference: { pretrained: folder }, results: base, ...computing },
    logger: createLogger("error", (line) => lines.push(line)),
  });
  await expect(dying.open()).rejects.toMatchObject({
    code: "WORKER_DIED",
    message: "The worker that loads a model ended with exit code 5; the log has its last lines.",
    details: { exit_code: 5, signal: null },
  });
  expect(lines).toEqual([expect.stringMatching(/ended with exit code 5\..*key=secret/s)]);
});

it("the service asks models of this machine in such processes, and ends them", async () => {
  const opening = vi.spyOn(ModelProcess.prototype, "open");
  const { ask, context, close } = await testService({ base });
  const asked = { model: "small", prompt: "Hello", max_tokens: 4, temperature: 0 };
  const { json, status } = await ask("POST", "/v1/completions", asked);
  expect(status).toBe(200);
  const [expected] = (await completionsBy(here).text(asked as never, limits)).choices;
  expect(json.choices[0].text).toBe(expected!.text);
  const opened = await context.models.use("small", undefined, async ({ tokenizer }, used) => {
    expect(tokenizer?.encode("ab")).toEqual(here.tokenizer.encode("ab"));
    return used;
  });
  expect(opened).toMatchObject({ local: true, completions: expect.anything() });
  const pid = pidOf(opening);
  expect(isAlive(pid)).toBe(true);
  await close();
  expect(isAlive(pid)).toBe(false);
  await expect(opened.model.generate([{ prompt: "a" }])).rejects.toThrow("not needed any more");
});

it("the service that stops waits for no model that is loading, and ends its process", async () => {
  const opening = vi.spyOn(ModelProcess.prototype, "open");
  const { context, close } = await testService({ base });
  const asked = expect(context.models.acquire("small")).rejects.toMatchObject({ code: "INTERRUPTED" });
  await vi.waitFor(() => expect(opening).toHaveBeenCalled());
  const pid = pidOf(opening);
  await close();
  await asked;
  expect(isAlive(pid)).toBe(false);
});

/** Number of the one process that was started. */
function pidOf({ mock: { contexts } }: { mock: { contexts: readonly unknown[] } }): number {
  expect(contexts).toHaveLength(1);
  return (contexts[0] as ModelProcess).pid!;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
