import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { loadDatasource } from "../../src/data/index.js";
import {
  languageModelOf,
  type ModelReference,
  openModel,
  parseModelReference,
  referenceName,
  ScriptedLanguageModel,
} from "../../src/language/index.js";
import type { CausalModel } from "../../src/models/index.js";
import { createModel } from "../../src/models/index.js";
import { modelJudges } from "../../src/tasks/index.js";
import { writeCheckpoint } from "../../src/weights/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import "../support/cpuTensors.js";
import { startModelServer } from "./modelServer.js";

describe("a reference to a model", () => {
  it.each<[unknown, ModelReference, string]>([
    ["self", { self: true }, "self"],
    [
      "https://api.example/v1#some/model",
      { url: "https://api.example/v1", model: "some/model" },
      "https://api.example/v1#some/model",
    ],
    ["run-20260101T000000Z@12", { run: "run-20260101T000000Z", round: 12 }, "run-20260101T000000Z@12"],
    ["run:./results/a.csv", { run: "./results/a.csv" }, "./results/a.csv"],
    [
      "HuggingFaceTB/SmolLM2-135M",
      { pretrained: "HuggingFaceTB/SmolLM2-135M" },
      "HuggingFaceTB/SmolLM2-135M",
    ],
    ["pretrained:odd@1", { pretrained: "odd@1" }, "odd@1"],
    [{ run: "a", round: 0 }, { run: "a", round: 0 }, "a@0"],
  ])("%j is read", (given, expected, name) => {
    expect(parseModelReference(given)).toEqual(expected);
    expect(referenceName(expected)).toBe(name);
  });

  it.each([
    ["https://api.example/v1", /does not say which model/],
    ["", /is empty/],
    [{ url: "ftp://x", model: "m" }, /url = "ftp:\/\/x"/],
    [{ url: "https://x", model: "m", colour: 1 }, /unknown key "colour"/],
    [{ name: "x" }, /found \{ name \}/],
    [3, /found 3/],
  ])("%j is refused", (given, message) => {
    expect(() => parseModelReference(given)).toThrowError(message);
  });
});

describe("a model behind a server", () => {
  const servers: { close(): Promise<unknown> }[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function keyAt(reference: Partial<Record<string, unknown>>, environment: Record<string, string>) {
    const server = await startModelServer();
    servers.push(server);
    const parsed = parseModelReference({ url: server.url, model: "bigram", ...reference });
    const { model } = await openModel(parsed, { environment });
    await model.generate([{ prompt: "a", maxNewTokens: 1 }]);
    return server.arrived[0]!.headers.authorization;
  }

  it("gets the key that is meant for it, and never another server's", async () => {
    const environment = { OPENAI_API_KEY: "theirs", OWN_KEY: "own" };
    expect(await keyAt({}, environment)).toBeUndefined();
    expect(await keyAt({ key_variable: "OWN_KEY" }, environment)).toBe("Bearer own");
    await expect(keyAt({ key_variable: "NO_KEY" }, environment)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });

  it("may be refused before it is opened", async () => {
    const admit = () => {
      throw new Error("not here");
    };
    await expect(openModel({ run: "a" }, { admit })).rejects.toThrowError("not here");
  });

  it("judges, with what it cost", async () => {
    const server = await startModelServer((request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          choices: [{ message: { content: `said ${request.body.temperature}` }, finish_reason: "stop" }],
          usage: { prompt_tokens: 7, completion_tokens: 2 },
        }),
      );
      return true;
    });
    servers.push(server);
    const judge = await modelJudges().open(`${server.url}#j`, undefined);
    const options = { temperature: 0.5, maxTokens: 3, seed: 1 };
    const answer = await judge.ask([{ role: "user", content: "q" }], options, undefined);
    expect(answer).toEqual({ text: "said 0.5", inputTokens: 7, outputTokens: 2 });
    expect(await judge.post!("/embeddings", { input: "x" }, undefined)).toMatchObject({ usage: {} });
    expect(server.arrived.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/embeddings"]);
  });
});

describe("the model that is being evaluated", () => {
  it("is what self means, and stays its owner's", async () => {
    const model = new ScriptedLanguageModel({ answer: () => "x" });
    const self = { name: "mine", model, tokenizer: model.tokenizer };
    const opened = await openModel({ self: true }, { self });
    expect(opened.model).toBe(model);
    await opened.release();
    await expect(openModel({ self: true })).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });
});

describe("the model of a run's checkpoint", () => {
  const base = temporaryFolder("references");
  const results = join(base, "results");
  const trainer = {
    type: "gpt",
    model_name: "gpt",
    backend: "cpu" as const,
    language_engine: "tensorflow" as const,
    language_threads: 1,
    random_seed: 1,
    tokenizer_name: "byte",
  };
  const parameters = { model: { n_layer: 1, n_head: 1, n_embd: 8, block_size: 16 } };
  const config = {
    general: { base_path: base },
    server: { model_path: "models", checkpoint_path: "checkpoints" },
    data: {
      datasource: "text",
      data_path: "data",
      train_path: "train.txt",
      max_seq_length: 16,
      sampler: "iid",
      random_seed: 1,
    },
    results: {},
    parameters,
    trainer,
  };

  async function recordRun(runId: string, rounds: readonly number[]): Promise<CausalModel> {
    mkdirSync(join(base, "data"), { recursive: true });
    writeFileSync(join(base, "data", "train.txt"), "some words to learn from, again and again. ".repeat(20));
    mkdirSync(join(results, runId), { recursive: true });
    writeFileSync(join(results, runId, "run.json"), JSON.stringify({ run_id: runId, config }));
    const { trainset } = await loadDatasource(config.data as never, join(base, "data"), config as never);
    const { inputShape, classes } = trainset;
    const model = await createModel(trainer, {
      inputShape,
      classes,
      parameters: parameters.model,
      random: createRandom(99, "trained"),
    });
    for (const round of rounds) {
      await writeCheckpoint(join(base, "checkpoints", runId), {
        runId,
        model: "gpt",
        round,
        random: {},
        clocks: {},
        scalar: null,
        primary: null,
        weights: model.weights(),
        row: null,
        state: new Map(),
      });
    }
    return model as unknown as CausalModel;
  }

  it("answers as the trained model does, and leaves no file behind", async () => {
    const trained = await recordRun("small", [1, 3]);
    const before = readdirSync(base, { recursive: true }).length;
    const opened = await openModel({ run: "small" }, { results });
    expect(opened.name).toBe("small@3");
    const expected = await languageModelOf(trained, opened.tokenizer!, { engine: "tensorflow" });
    const asked = [{ context: "some ", continuation: "words" }];
    const [found] = await opened.model.logLikelihood(asked);
    const [wanted] = await expected.logLikelihood(asked);
    expect(found!.logLikelihood).toBeCloseTo(wanted!.logLikelihood, 5);
    expect(found!.logLikelihood).toBeLessThan(0);
    expect(readdirSync(base, { recursive: true })).toHaveLength(before);
    await opened.release();
    await expect(opened.model.logLikelihood(asked)).rejects.toMatchObject({ code: "USAGE" });
    const byFolder = await openModel({ run: join(results, "small"), round: 1 }, {});
    expect(byFolder.name).toBe("small@1");
    await byFolder.release();
    trained.dispose();
  });

  it("says which rounds there are, and which runs are none", async () => {
    (await recordRun("kept", [2, 4])).dispose();
    await expect(openModel({ run: "kept", round: 3 }, { results })).rejects.toThrowError(
      /of round 3.*rounds 2, 4/,
    );
    await expect(openModel({ run: "nobody" }, { results })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(openModel({ run: "../kept" }, { results })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});
