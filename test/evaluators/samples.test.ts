import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger, silentLogger } from "../../src/base/index.js";
import {
  createEvaluatorRegistry,
  type EvaluationInput,
  type EvaluationResultInit,
  evaluateRound,
  type LoggedSample,
  taskSample,
} from "../../src/evaluators/index.js";
import { SampleFiles } from "../../src/evaluators/samples/sampleFiles.js";
import type { SampleResult } from "../../src/tasks/index.js";
import { datasetOf, outcomeOf, predicting } from "./suites/predictions.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-samples-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sample = (doc: number, score = 1): LoggedSample => ({
  doc,
  requests: ["2 + 2 ="],
  answers: ["4"],
  gold: "4",
  scores: { acc: score },
});
const RESULT: EvaluationResultInit = { evaluator: "quiz", primaryMetric: "acc", metrics: { acc: 1 } };

async function evaluated(
  evaluate: (request: EvaluationInput) => Promise<EvaluationResultInit>,
  table: object = { log_samples: true },
) {
  const registry = createEvaluatorRegistry();
  registry.register("quiz", () => ({ evaluate }));
  const config = { evaluation: { type: "quiz", ...table } };
  const round = { config, registry, logger: silentLogger, samplesFolder: join(folder, "samples") };
  for await (const { outcome } of evaluateRound({ ...round, context: { currentRound: 3 } })) return outcome;
  throw new Error("nothing was due");
}

const lines = async (name: string) =>
  (await readFile(join(folder, "samples", name), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("samples of an evaluator", () => {
  it("stand in a file for each task once it has ended", async () => {
    const outcome = await evaluated(async ({ samples }) => {
      await samples?.add("sums", sample(0));
      await samples?.add("arc:easy", sample(7, 0));
      await samples?.add("sums", sample(1));
      expect((await readdir(join(folder, "samples"))).every((name) => name.endsWith(".tmp"))).toBe(true);
      return RESULT;
    });
    expect(outcome.status).toBe("ok");
    expect((await readdir(join(folder, "samples"))).sort()).toEqual([
      "3-quiz-arc_easy.jsonl",
      "3-quiz-sums.jsonl",
    ]);
    expect(await lines("3-quiz-sums.jsonl")).toEqual([
      { evaluator: "quiz", task: "sums", ...sample(0) },
      { evaluator: "quiz", task: "sums", ...sample(1) },
    ]);
  });

  it("are not asked for without log_samples, and not where there is no folder", async () => {
    const seen: unknown[] = [];
    await evaluated(async ({ samples }) => {
      seen.push(samples);
      return RESULT;
    }, {});
    expect(seen).toEqual([undefined]);
  });

  it("leave nothing behind where it fails or gives an invalid result", async () => {
    const failed = await evaluated(async ({ samples }) => {
      await samples?.add("sums", sample(0));
      throw new Error("out of paper");
    });
    expect(failed.status).toBe("failed");
    const invalid = await evaluated(async ({ samples }) => {
      await samples?.add("sums", sample(0));
      return { ...RESULT, metrics: {} };
    });
    expect(invalid.error?.code).toBe("RESULT_INVALID");
    expect(await readdir(join(folder, "samples"))).toEqual([]);
  });

  it("are dropped where it ran out of time, also those that come later", async () => {
    let late: Promise<void> | undefined;
    const outcome = await evaluated(
      async ({ samples, signal }) => {
        await samples?.add("sums", sample(0));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        late = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() =>
          samples?.add("sums", sample(1)),
        );
        return RESULT;
      },
      { log_samples: true, timeout: 0.02 },
    );
    expect(outcome.status).toBe("timeout");
    await late;
    expect(await readdir(join(folder, "samples"))).toEqual([]);
  });

  it.each([
    ["an infinite score", { scores: { acc: Number.POSITIVE_INFINITY } }, "acc"],
    ["a score of text", { scores: { acc: "1" } }, "acc"],
    ["a Map among the requests", { requests: [new Map()] }, "requests[0]"],
    ["no document", { doc: undefined }, "doc"],
    ["answers that are no list", { answers: "4" }, "answers"],
  ])("with %s are the evaluator's failure", async (_, fault, named) => {
    const outcome = await evaluated(async ({ samples }) => {
      await samples?.add("sums", { ...sample(0), ...fault } as LoggedSample);
      return RESULT;
    });
    expect(outcome.error?.code).toBe("RESULT_INVALID");
    expect(outcome.reason).toContain(named);
  });

  it("keep no more of a text than 20,000 characters", async () => {
    await evaluated(async ({ samples }) => {
      await samples?.add("books", { ...sample(0), requests: [`A${"x".repeat(30_000)}Z`] });
      return RESULT;
    });
    const [text] = (await lines("3-quiz-books.jsonl"))[0]!.requests as [string];
    expect(text).toBe(`A${"x".repeat(9_999)} [... 10002 characters left out ...] ${"x".repeat(9_999)}Z`);
  });
});

describe("the files of samples", () => {
  const warned: string[] = [];
  const logger = createLogger("warn", (line) => warned.push(line));
  const files = (evaluator: string, largestFile?: number) =>
    new SampleFiles({
      folder: join(folder, "samples"),
      round: 1,
      evaluator,
      logger,
      ...(largestFile !== undefined && { largestFile }),
    });
  beforeEach(() => void warned.splice(0));

  it("are replaced by a later attempt at the same round", async () => {
    for (const doc of [1, 2]) {
      const log = files("quiz");
      await log.add("sums", sample(doc));
      await log.keep();
    }
    expect((await lines("1-quiz-sums.jsonl")).map(({ doc }) => doc)).toEqual([2]);
  });

  it("get numbers where two tasks come to one name", async () => {
    for (const [evaluator, task] of [
      ["a", "b-c"],
      ["a-b", "c"],
      ["a", "b-c"],
    ] as const) {
      const log = files(evaluator);
      await log.add(task, sample(0));
      await log.keep();
    }
    expect((await readdir(join(folder, "samples"))).sort()).toEqual(["1-a-b-c.jsonl", "1-a-b-c_2.jsonl"]);
  });

  it("are cut at their largest size, with a warning", async () => {
    // Two lines fit, and no third.
    const log = files("quiz", 250);
    for (let doc = 0; doc < 5; doc++) await log.add("sums", sample(doc));
    await log.keep();
    expect(await lines("1-quiz-sums.jsonl")).toHaveLength(2);
    expect(warned).toEqual([expect.stringContaining("3 more are left out")]);
  });

  it("that cannot be written are a warning, said once, and no error", async () => {
    await writeFile(join(folder, "samples"), "in the way");
    const log = files("quiz");
    for (let doc = 0; doc < 3; doc++) await log.add("sums", sample(doc));
    await log.keep();
    expect(warned).toEqual([expect.stringContaining("cannot be written")]);
  });
});

describe("the sample of a task", () => {
  it("has prompts, answers without single tokens, gold and scores", () => {
    const result: SampleResult = {
      document: {
        doc: 4,
        row: {},
        requests: [{ kind: "loglikelihood", prompts: ["Q: 2 + 2?\nA:"], continuations: [" 4", " 5"] }],
        gold: 0,
        choices: ["4", "5"],
        fewshot: [],
      },
      answers: {
        scores: [
          { logLikelihood: -1.5, tokenLogLikelihoods: [-1.5], greedy: true, tokenCount: 1, truncated: 0 },
          {
            logLikelihood: Number.NEGATIVE_INFINITY,
            tokenLogLikelihoods: [],
            greedy: false,
            tokenCount: 1,
            truncated: 3,
          },
        ],
        rolls: [],
        generations: [],
      },
      scores: new Map([["acc", 1]]),
    };
    expect(taskSample(result)).toEqual({
      doc: 4,
      requests: [{ kind: "loglikelihood", prompts: ["Q: 2 + 2?\nA:"], continuations: [" 4", " 5"] }],
      answers: [
        { log_likelihood: -1.5, greedy: true, tokens: 1 },
        { log_likelihood: null, greedy: false, tokens: 1, truncated: 3 },
      ],
      gold: 0,
      scores: { acc: 1 },
    });
  });
});

describe("the built-in evaluators", () => {
  const logged = async (
    type: string,
    outputs: number[],
    width: number,
    labels: Int32Array | Float32Array,
  ) => {
    const samplesFolder = join(folder, "samples");
    const round = { trainer: predicting(outputs, width), testset: datasetOf(labels, width), samplesFolder };
    await outcomeOf(type, { ...round, sampler: Int32Array.of(0, 2), options: { log_samples: true } });
    return lines(`0-${type}-test.jsonl`);
  };

  it("classification logs each row's class, predicted and true", async () => {
    expect(await logged("classification", [1, 0, 0, 0, 0, 1], 2, Int32Array.of(0, 0, 0))).toEqual([
      {
        evaluator: "classification",
        task: "test",
        doc: 0,
        requests: [],
        answers: [0],
        gold: 0,
        scores: { accuracy: 1 },
      },
      {
        evaluator: "classification",
        task: "test",
        doc: 2,
        requests: [],
        answers: [1],
        gold: 0,
        scores: { accuracy: 0 },
      },
    ]);
  });

  it("regression logs each row's errors", async () => {
    const [first, second] = await logged("regression", [1, 0, 5], 1, Float32Array.of(1, 0, 3));
    expect(first).toMatchObject({ doc: 0, answers: [1], gold: 1, scores: { mse: 0, mae: 0 } });
    expect(second).toMatchObject({ doc: 2, answers: [5], gold: 3, scores: { mse: 4, mae: 2 } });
  });
});
