import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { PythonRandom } from "../../src/base/index.js";
import {
  bootstrapError,
  createRowLoader,
  meanError,
  metricKey,
  type RowLoader,
  resolveTask,
  showDocuments,
  type TaskDocument,
} from "../../src/tasks/index.js";
import { pythonJson } from "../support/pythonJson.js";

const benchmarks = join(process.env.PARITY_DATA!, "benchmarks");
const golden = (name: string) => JSON.parse(readFileSync(join(benchmarks, "golden", name), "utf8"));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let loader: RowLoader;
beforeAll(async () => {
  const sources = fileURLToPath(new URL("sources.json", import.meta.url));
  loader = await createRowLoader({ dataDir: benchmarks, sources });
});

async function documentsOf(
  name: string,
): Promise<{ documents: TaskDocument[]; task: ReturnType<typeof taskOf> }> {
  const task = taskOf(name);
  const { shots } = resolveTask(name).tasks[0]!;
  const { rows } = await loader.load(task, shots > 0);
  return { documents: [...task.documents(rows, { shots })], task };
}
const taskOf = (name: string) => resolveTask(name).tasks[0]!.task;

interface HarnessGolden {
  version: string;
  docs: number;
  requests: number;
  requests_sha256: string;
  results: Record<string, number>;
  verified: boolean;
}

describe("requests and scores of the first harness", () => {
  const entries = Object.entries(golden("harness_golden.json") as Record<string, HarnessGolden>);

  it.each(entries)("%s", async (name, expected) => {
    const { documents, task } = await documentsOf(`harness:${name}@v0`);
    const requests = documents.flatMap(({ requests }) => requests.flatMap(argumentsOf));
    expect(documents).toHaveLength(expected.docs);
    expect(requests).toHaveLength(expected.requests);
    if (expected.verified) expect(sha256(pythonJson(requests))).toBe(expected.requests_sha256);

    const random = new PythonRandom(42);
    const answers = documents.map((document) => fakeAnswers(document, random));
    for (const metric of task.metrics) {
      const key = metricKey(task, metric);
      const values = documents.map((document, place) => metric.score(document, answers[place]!));
      expect(metric.aggregate(values), key).toBeCloseTo(expected.results[key]!, 12);
      // The stored errors of perplexities come of ten draws.
      const error = metric.standardError(values, { bootstrapDraws: 10 });
      const stored = expected.results[`${key}_stderr`];
      if (stored === undefined) expect(error, `${key}_stderr`).toBeUndefined();
      else expect(error, `${key}_stderr`).toBeCloseTo(stored, 12);
    }
    expect(Object.keys(expected.results).filter((key) => !key.endsWith("_stderr"))).toHaveLength(
      task.metrics.length,
    );
  });
});

/** Arguments of requests as the harness passes them to a model. */
function argumentsOf(request: TaskDocument["requests"][number]): unknown[] {
  const { prompts } = request;
  if (request.kind === "generate") return prompts.map((prompt) => [prompt, request.stop]);
  if (request.kind !== "loglikelihood") return prompts.map((text) => [text]);
  return prompts.flatMap((prompt) => request.continuations.map((continuation) => [prompt, continuation]));
}

/** A model that draws its answers, one after the other. */
function fakeAnswers({ requests }: TaskDocument, random: PythonRandom) {
  const draw = () => ({
    logLikelihood: -random.random(),
    tokenLogLikelihoods: [],
    greedy: false,
    tokenCount: 1,
    truncated: 0,
    windows: 1,
  });
  const all = requests.flatMap((request) =>
    argumentsOf(request).map(() => ({ kind: request.kind, ...draw() })),
  );
  return {
    scores: all.filter(({ kind }) => kind === "loglikelihood"),
    rolls: all.filter(({ kind }) => kind === "rolling"),
    generations: all
      .filter(({ kind }) => kind === "generate")
      .map(() => ({ text: "lol", tokens: undefined, finish: "stop" as const, truncated: 0 })),
  };
}

it("winogrande scores what the harness's fake model scored, though its requests have no stored hash here", async () => {
  const { documents, task } = await documentsOf("harness:winogrande@v0");
  const random = new PythonRandom(42);
  const accuracy = task.metrics[0]!;
  const values = documents.map((document) => accuracy.score(document, fakeAnswers(document, random)));
  expect(accuracy.aggregate(values)).toBeCloseTo(0.516179952644041, 12);
});

interface Solution {
  solution: string;
  is_correct: boolean;
}
type SolvedRow = { ground_truth: string } & Record<string, Solution | string>;

describe("published solutions of GSM8K", () => {
  const text = gunzipSync(
    readFileSync(join(benchmarks, "gsm8k", "model_solutions_first200.jsonl.gz")),
  ).toString();
  const solved = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as SolvedRow);
  // Both end with "A: 18", where the data set has "#### 18".
  const asInData = (solution: string) => solution.replace(/\nA: /, "\n#### ");

  it.each(["6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"])(
    "are right and wrong as published: %s",
    (model) => {
      const [strict, flexible] = taskOf("harness:gsm8k").metrics;
      const [number] = taskOf("gsm8k").metrics;
      const verdicts = solved.map((row) => {
        const gold = asInData(row.ground_truth);
        const { solution } = row[model] as Solution;
        const common = { doc: 0, row, requests: [], fewshot: [], choices: [` ${gold}`] };
        const said = (answer: string) => ({
          scores: [],
          rolls: [],
          generations: [{ text: answer, tokens: undefined, finish: "stop" as const, truncated: 0 }],
        });
        return [
          strict!.score({ ...common, gold }, said(asInData(solution))),
          flexible!.score({ ...common, gold }, said(solution)),
          number!.score({ ...common, gold: 0 }, said(solution)),
        ];
      });
      const published = solved.map((row) => Number((row[model] as Solution).is_correct));
      expect(verdicts).toEqual(published.map((right) => [right, right, right]));
    },
  );
});

interface LightevalGolden {
  docs: number;
  num_fewshot: number;
  order_first_20: number[];
  order_sha256: string;
  prompts_sha256: string;
  choices_sha256: string;
  first: { row: number; prompt: string; choices: string[]; gold_index: unknown; fewshot_rows: number[] }[];
  fewshot_rows_first_5_docs?: number[][];
  own_row_among_fewshots?: number;
  em_if_always_A?: number;
}

describe("documents, examples and prompts of lighteval", () => {
  const entries = Object.entries(golden("lighteval_prompts.json") as Record<string, LightevalGolden>);

  it.each(entries)("%s", async (key, expected) => {
    const name = key.replace(/\(.*\)/, "");
    const { documents, task } = await documentsOf(name);
    const shown = showDocuments(documents);
    const order = shown.map(({ doc }) => doc);
    expect(order.slice(0, 20)).toEqual(expected.order_first_20);
    expect(sha256(order.join(","))).toBe(expected.order_sha256);
    for (const [place, first] of expected.first.entries()) {
      expect(shown[place]).toMatchObject({
        doc: first.row,
        prompts: [first.prompt],
        continuations: first.choices,
        fewshot: first.fewshot_rows,
      });
      expect([shown[place]!.gold].flat()).toEqual([first.gold_index].flat());
    }
    expect(sha256(shown.map(({ prompts }) => prompts[0]).join("\0"))).toBe(expected.prompts_sha256);
    expect(sha256(documents.map(({ choices }) => choices.join("\u0001")).join("\0"))).toBe(
      expected.choices_sha256,
    );
    if (expected.fewshot_rows_first_5_docs !== undefined) {
      expect(shown.slice(0, 5).map(({ fewshot }) => fewshot)).toEqual(expected.fewshot_rows_first_5_docs);
    }
    if (expected.em_if_always_A !== undefined) {
      const always = { text: "A", tokens: undefined, finish: "stop" as const, truncated: 0 };
      const em = task.metrics[0]!;
      const values = documents.map((document) =>
        em.score(document, { scores: [], rolls: [], generations: [always] }),
      );
      expect(em.aggregate(values)).toBeCloseTo(expected.em_if_always_A, 12);
    }
  });

  it("lets a document be its own example where the pool is what is evaluated", async () => {
    const { documents } = await documentsOf("piqa_hf|3");
    const own = documents.filter(({ doc, fewshot }) => fewshot.includes(doc));
    expect(documents).toHaveLength(1838);
    expect(own).toHaveLength(3);
  });
});

describe("standard errors", () => {
  const vectors = golden("stderr_vectors.json") as {
    mean_stderr: { x: number[]; stderr: number }[];
    bootstrap_harness: { xs: number[]; iters: number; stderr: number }[];
  };

  it.each(vectors.mean_stderr)("of the mean of $x", ({ x, stderr }) => {
    expect(meanError(x)).toBeCloseTo(stderr, 14);
  });

  it.each(vectors.bootstrap_harness)("of a perplexity by $iters draws", ({ xs, iters, stderr }) => {
    const perplexity = (places: Uint32Array) =>
      Math.exp(-places.reduce((sum, place) => sum + xs[place]!, 0) / xs.length);
    expect(bootstrapError(xs.length, perplexity, { bootstrapDraws: iters })).toBeCloseTo(stderr, 10);
    const small = bootstrapError(xs.length, perplexity, { bootstrapDraws: iters, convention: "lighteval" });
    expect(small).toBeCloseTo(stderr / Math.sqrt(iters), 10);
  });
});

type Vectors = Record<string, Record<string, unknown>>;

describe("CPython's generator", () => {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);

  it.each(Object.entries(golden("python_random_vectors.json") as Vectors))(
    "with seed %s",
    (seed, expected) => {
      const times = <T>(count: number, draw: (random: PythonRandom) => T): T[] => {
        const random = new PythonRandom(Number(seed));
        return range(count).map(() => draw(random));
      };
      expect({
        random_5: times(5, (random) => random.random()),
        getrandbits32_5: times(5, (random) => random.getrandbits(32)),
        shuffle_range20: times(1, (random) => random.shuffle(range(20)))[0],
        sample_range10_k3_x3: times(3, (random) => random.sample(range(10), 3)),
        sample_range2251_k5_x3: times(3, (random) => random.sample(range(2251), 5)),
        randrange_7_x10: times(10, (random) => random.randrange(7)),
        choices_range10_k10: times(1, (random) => random.choices(range(10), 10))[0],
        choice_abc_x10: times(10, (random) => random.choice("abc")),
        randint_1_100_x5: times(5, (random) => random.randint(1, 100)),
      }).toEqual(Object.fromEntries(Object.entries(expected).filter(([key]) => !key.startsWith("gauss"))));
      // The last digit of a sine or logarithm is the mathematical library's own.
      for (const [place, value] of (expected.gauss_0_1_x4 as number[]).entries()) {
        expect(times(4, (random) => random.gauss(0, 1))[place]).toBeCloseTo(value, 14);
      }
    },
  );

  const core = JSON.parse(
    readFileSync(join(process.env.PARITY_DATA!, "core", "golden", "python_random.json"), "utf8"),
  ) as { vectors: Vectors };
  it.each(Object.entries(core.vectors))("with CORE's seed %s", (seed, expected) => {
    for (const [name, value] of Object.entries(expected)) {
      const random = new PythonRandom(Number(seed));
      const [, kind, count, from] =
        /^(getrandbits32|random|shuffle|sample)_(?:first|range)?(\d+)(?:_of_(\d+))?$/.exec(name)!;
      const drawn = {
        getrandbits32: () => range(Number(count)).map(() => random.getrandbits(32)),
        random: () => range(Number(count)).map(() => random.random()),
        shuffle: () => random.shuffle(range(Number(count))),
        sample: () => random.sample(range(Number(from)), Number(count)),
      }[kind as "random"]();
      expect(drawn, name).toEqual(value);
    }
  });
});
