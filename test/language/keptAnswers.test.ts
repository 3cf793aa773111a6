import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger, manualClock } from "../../src/base/index.js";
import {
  AnswerFile,
  KeptAnswers,
  type LanguageModel,
  ScriptedLanguageModel,
} from "../../src/language/index.js";

let folder: string;
const warned: string[] = [];
const logger = createLogger("warn", (line) => warned.push(line));
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "elenchus-answers-")), "answers");
  warned.splice(0);
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** A model that counts what it is asked. */
function counting(): LanguageModel & { asked: number } {
  const model = new ScriptedLanguageModel({
    score: ({ context }) => -String(context).length / 3,
    answer: ({ prompt }) => `re: ${String(prompt)}`,
    next: (tokens) => Float32Array.from({ length: 300 }, (_, token) => (token * tokens.length) % 7),
  });
  const counted = {
    name: "counting",
    asked: 0,
    logLikelihood: (...[requests, options]: Parameters<LanguageModel["logLikelihood"]>) => {
      counted.asked += requests.length;
      return model.logLikelihood(requests, options);
    },
    rollingLogLikelihood: (...[texts, options]: Parameters<LanguageModel["rollingLogLikelihood"]>) => {
      counted.asked += texts.length;
      return model.rollingLogLikelihood(texts, options);
    },
    generate: (...[requests, options]: Parameters<LanguageModel["generate"]>) => {
      counted.asked += requests.length;
      return model.generate(requests, options);
    },
    forward: () => Promise.reject(new Error("not asked here")),
  };
  return counted;
}

async function kept(
  scope: unknown = { weights: "abc" },
  options: { largestFile?: number; largestFolder?: number } = {},
) {
  const model = counting();
  const file = (await AnswerFile.open({ folder, scope, logger, ...options }))!;
  return { model, answers: new KeptAnswers(model, file) };
}
const scores = ["a", "bb", "ccc"].map((context) => ({ context, continuation: " yes" }));
const onlyFile = () => join(folder, readdirSync(folder)[0]!);

describe("a model that keeps its answers", () => {
  it("tells of those that were there apart from those that it asks for", async () => {
    await (await kept()).answers.logLikelihood(scores);
    const told: unknown[] = [];
    const onAnswered = (...said: unknown[]) => void told.push(said);
    await (await kept()).answers.logLikelihood([...scores, { context: "dddd", continuation: " yes" }], {
      onAnswered,
    });
    expect(told).toEqual([[3, true], [1]]);
  });

  it("asks for as many at a time as take a few seconds, and for answers that make room for each other all at once", async () => {
    const clock = manualClock();
    const model = counting();
    const pieces: number[] = [];
    const slow: LanguageModel = {
      ...model,
      logLikelihood: (requests, options) => {
        pieces.push(requests.length);
        clock.advance(requests.length * 500);
        return model.logLikelihood(requests, options);
      },
      generate: (requests, options) => {
        pieces.push(requests.length);
        return model.generate(requests, options);
      },
    };
    const file = (await AnswerFile.open({ folder, scope: 1, logger }))!;
    const answers = new KeptAnswers(slow, file, { clock });
    const many = Array.from({ length: 40 }, (_, place) => ({ context: `${place}`, continuation: " yes" }));
    expect(await answers.logLikelihood(many)).toHaveLength(40);
    // Half a second each: ten take five seconds.
    expect(pieces).toEqual([16, 10, 10, 4]);
    await answers.generate(many.map(({ context }) => ({ prompt: context, maxNewTokens: 4 })));
    expect(pieces.slice(4)).toEqual([40]);
  });

  it("keeps what was answered before a call failed, and hears of each answer", async () => {
    const heard: number[] = [];
    const model = counting();
    const breaking: LanguageModel = {
      ...model,
      async generate(requests, options = {}) {
        const [generation] = await model.generate(requests.slice(1, 2));
        options.onGeneration?.({ index: 1, generation: generation! });
        throw new Error("out of memory");
      },
    };
    const requests = ["a", "b", "c"].map((prompt) => ({ prompt, maxNewTokens: 4 }));
    const file = (await AnswerFile.open({ folder, scope: { weights: "abc" }, logger }))!;
    const onGeneration = ({ index }: { index: number }) => void heard.push(index);
    await expect(new KeptAnswers(breaking, file).generate(requests, { onGeneration })).rejects.toThrow(
      "memory",
    );
    expect(heard).toEqual([1]);
    const again = await kept();
    const found = await again.answers.generate(requests, { onGeneration });
    expect(found.map(({ text }) => text)).toEqual(["re: a", "re: b", "re: c"]);
    expect(again.model.asked).toBe(2);
    expect(heard.slice(1)).toContain(1);
  });

  it("writes what has come while a call goes on", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const model = counting();
    const slow: LanguageModel = {
      ...model,
      async generate(requests, options = {}) {
        const generations = await model.generate(requests);
        options.onGeneration?.({ index: 0, generation: generations[0]! });
        await ended;
        return generations;
      },
    };
    const file = (await AnswerFile.open({ folder, scope: 1, logger }))!;
    const requests = ["a", "b"].map((prompt) => ({ prompt, maxNewTokens: 4 }));
    const answering = new KeptAnswers(slow, file, { keptEvery: 0.01 }).generate(requests);
    try {
      await expect
        .poll(() => readdirSync(folder).length && readFileSync(onlyFile(), "utf8"))
        .toContain("re: a");
      expect(readFileSync(onlyFile(), "utf8")).not.toContain("re: b");
    } finally {
      end();
      await answering;
    }
    expect(readFileSync(onlyFile(), "utf8")).toContain("re: b");
  });

  it("is asked once for each, in this process and the next, and answers the same to the bit", async () => {
    const first = await kept();
    const all = async ({ answers }: typeof first) => [
      await answers.logLikelihood(scores),
      await answers.rollingLogLikelihood(["text"]),
      await answers.generate([{ prompt: "hello", maxNewTokens: 200 }]),
    ];
    const found = await all(first);
    expect(first.model.asked).toBe(5);
    const second = await kept();
    expect(await all(second)).toEqual(found);
    expect(second.model.asked).toBe(0);
    // One more is the only one that is asked for.
    await second.answers.logLikelihood([...scores, { context: "dddd", continuation: " yes" }]);
    expect(second.model.asked).toBe(1);
  });

  it("is asked anew with other options, and with other weights", async () => {
    const { answers } = await kept();
    await answers.logLikelihood(scores);
    const again = await kept();
    await again.answers.logLikelihood(scores, { boundary: "separate" });
    expect(again.model.asked).toBe(3);
    const other = await kept({ weights: "abd" });
    await other.answers.logLikelihood(scores);
    expect(other.model.asked).toBe(3);
  });

  it("passes over what it cannot read, says so, and goes on behind a torn line", async () => {
    const first = await kept();
    await first.answers.logLikelihood(scores);
    const [one, two, three] = readFileSync(onlyFile(), "utf8").trimEnd().split("\n");
    writeFileSync(onlyFile(), `${one}\n{"request":"x"}\nnonsense\n${two}\n${three!.slice(0, -9)}`);
    const second = await kept();
    expect(warned).toEqual([expect.stringContaining("has 3 lines that are no answers")]);
    await second.answers.logLikelihood(scores);
    expect(second.model.asked).toBe(1);
    const third = await kept();
    await third.answers.logLikelihood(scores);
    expect(third.model.asked).toBe(0);
  });

  it("does not take an answer of another kind for one", async () => {
    const first = await kept();
    await first.answers.logLikelihood(scores.slice(0, 1));
    const text = readFileSync(onlyFile(), "utf8");
    writeFileSync(onlyFile(), text.replace(/"greedy":\w+/, '"greedy":"maybe"'));
    const second = await kept();
    await second.answers.logLikelihood(scores.slice(0, 1));
    expect(second.model.asked).toBe(1);
  });

  it("keeps no more than fits, in a file and in the folder", async () => {
    const small = await kept({ weights: 1 }, { largestFile: 10 });
    await small.answers.logLikelihood(scores);
    expect(readdirSync(folder)).toEqual([]);
    const first = await kept({ weights: 2 });
    await first.answers.logLikelihood(scores);
    await kept({ weights: 3 }, { largestFolder: 10 });
    const left = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(left.join("")).toBe("");
  });

  it("keeps answers beside a file that is gone before it was looked at", async () => {
    mkdirSync(folder);
    // Its name is in the folder, and it is not there: so is one that another process takes away meanwhile.
    symlinkSync(join(folder, "gone"), join(folder, `${"0".repeat(40)}.jsonl`));
    const first = await kept();
    await first.answers.logLikelihood(scores);
    expect(warned).toEqual([]);
    const second = await kept();
    await second.answers.logLikelihood(scores);
    expect(second.model.asked).toBe(0);
  });

  it("goes without where the folder cannot be made", async () => {
    appendFileSync(join(folder, "..", "answers"), "in the way");
    expect(await AnswerFile.open({ folder, scope: 1, logger })).toBeNull();
    expect(warned).toEqual([expect.stringContaining("Answers cannot be kept")]);
  });
});
