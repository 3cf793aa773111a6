// Documents per second of benchmarks with a llama of 40 million drawn weights on one core: all requests of a task
// together, by the default engine and by TensorFlow.js, against one request per call of the same API, and, where
// PEER_PYTHON names a Python that has lm_eval, against lm-evaluation-harness with the same weights, rows and one
// thread, in its default batches of one and in those that suit it best. Seconds are those of the processor. With
// PARITY_DATA the rows are the real ones.
// Run: PEER_PYTHON=python3 node --import tsx bench/benchmarks.ts
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stderrLogger } from "../src/base/index.js";
import { languageModelOf, type TokenLanguageModel } from "../src/language/index.js";
import { savePretrained } from "../src/models/kit.js";
import { resolveTask, runTask, type Task, type TaskRequest, type TaskResult } from "../src/tasks/index.js";
import {
  createTrainedTokenizer,
  formatTokenizer,
  trainBytePairs,
  writeTokenizer,
} from "../src/tokenizers/index.js";
import { benchmarkRows, type Splits } from "./benchmarkRows.js";
import { benchProcess, round } from "./benchProcess.js";
import { fortyMillionLlama } from "./languageModels.js";

/** Times one request per call, and times lm-evaluation-harness: geometric means over the benchmarks with choices. */
const CHOICES_TARGET = 3;
/** Times lm-evaluation-harness. */
const GENERATION_TARGET = 1;
/** Longest answer, as no answer of such a model ends. */
const NEW_TOKENS = 64;
const ROLES = { bos: "<|end|>", eos: "<|end|>" };

interface Plan {
  readonly name: string;
  readonly task: string;
  readonly file: string;
  readonly splits: Splits;
  readonly evaluated: string;
  readonly shots: number;
  readonly limit: number;
  readonly kind: "choices" | "generation";
}

const found = benchmarkRows();
const ARC = { task: "arc_easy", file: "arc/arc_easy.yaml", splits: found.arc, evaluated: "test" };
const plans: readonly Plan[] = [
  { name: "ARC-Easy, 0 shots", ...ARC, shots: 0, limit: 40, kind: "choices" },
  { name: "ARC-Easy, 5 shots", ...ARC, shots: 5, limit: 10, kind: "choices" },
  {
    name: "HellaSwag, 0 shots",
    task: "hellaswag",
    file: "hellaswag/hellaswag.yaml",
    splits: found.hellaswag,
    evaluated: "validation",
    shots: 0,
    limit: 12,
    kind: "choices",
  },
  {
    name: `GSM8K, 0 shots, ${NEW_TOKENS} new tokens`,
    task: "gsm8k",
    file: "gsm8k/gsm8k.yaml",
    splits: found.gsm8k,
    evaluated: "test",
    shots: 0,
    limit: 16,
    kind: "generation",
  },
];

const texts = [...(found.arc.train ?? []), ...(found.gsm8k.train ?? [])]
  .slice(0, 3000)
  .map(({ question, answer }) => [question, answer].join(" "));
const trained = trainBytePairs(texts, { vocabularySize: 4096, specialTokens: [ROLES.eos] });
const tokenizer = createTrainedTokenizer(trained, ROLES);
const model = await fortyMillionLlama(1024);
const engines = {
  own: await languageModelOf(model, tokenizer, { logger: stderrLogger("info") }),
  tensorflow: await languageModelOf(model, tokenizer, { engine: "tensorflow" }),
};

const harness = await harnessRates();
const ratios: Record<"alone" | "harness", number[]> = { alone: [], harness: [] };
let missed = false;
for (const [place, plan] of plans.entries()) {
  const task = taskOf(plan);
  const one = { shots: plan.shots, limit: 1 };
  for (const engine of Object.values(engines)) await run(task, plan, engine, one);
  const together = await run(task, plan, engines.own, plan);
  const alone = await oneByOne(engines.own, together.result);
  const tensorflow = await run(task, plan, engines.tensorflow, { ...plan, limit: Math.ceil(plan.limit / 4) });
  const peer = harness?.[place];
  const [times, timesHarness] = [
    (together.rate * alone.seconds) / plan.limit,
    peer && together.rate / peer.default_documents_s,
  ];
  console.log(
    JSON.stringify(
      {
        benchmark: plan.name,
        documents: plan.limit,
        documents_s: round(together.rate),
        one_request_per_call_documents_s: round(plan.limit / alone.seconds),
        one_request_per_call_tokens_s: Math.round(alone.tokens / alone.seconds),
        times_one_request_per_call: round(times),
        // What sharing alone would give: tokens that calls of their own read, by those that differ.
        ...(plan.kind === "choices" && { tokens_saved_times: round(savedTimes(together.result)) }),
        tensorflow_documents_s: round(tensorflow.rate),
        harness_documents_s: peer ? round(peer.default_documents_s) : "left out: PEER_PYTHON names no Python",
        ...(timesHarness && {
          times_harness: round(timesHarness),
          times_harness_in_its_best_batches: round(together.rate / peer!.best_documents_s),
          ...(plan.kind === "generation" && { target_harness: GENERATION_TARGET }),
        }),
        ...(peer && { same_scores: sameScores(together.result, peer.metrics) }),
      },
      null,
      2,
    ),
  );
  if (plan.kind === "choices") {
    ratios.alone.push(times);
    if (timesHarness) ratios.harness.push(timesHarness);
  } else if (timesHarness && timesHarness < GENERATION_TARGET) missed = true;
}
const means = Object.values(ratios)
  .filter(({ length }) => length > 0)
  .map(geometricMean);
if (means.some((mean) => mean < CHOICES_TARGET)) missed = true;
console.log(
  JSON.stringify(
    {
      choices_times_one_request_per_call: round(geometricMean(ratios.alone)),
      ...(ratios.harness.length > 0 && { choices_times_harness: round(geometricMean(ratios.harness)) }),
      target: CHOICES_TARGET,
      engine: engines.own.constructor.name,
      rows: found.from,
    },
    null,
    2,
  ),
);
process.exitCode = missed ? 1 : 0;

/** The harness's task, with short answers. */
function taskOf({ task: name }: Plan): Task {
  const { task } = resolveTask(`harness:${name}`).tasks[0]!;
  const shorter = (request: TaskRequest) =>
    request.kind === "generate" ? { ...request, maxNewTokens: NEW_TOKENS } : request;
  return {
    ...task,
    *documents(rows, options) {
      for (const document of task.documents(rows, options)) {
        yield { ...document, requests: document.requests.map(shorter) };
      }
    },
  };
}

async function run(
  task: Task,
  { splits, evaluated }: Plan,
  engine: TokenLanguageModel,
  { shots, limit }: { shots: number; limit: number },
): Promise<{ rate: number; result: TaskResult }> {
  const rows = { evaluated: splits[evaluated]!, pool: splits.train! };
  const start = process.cpuUsage();
  const result = await runTask(task, rows, engine, { shots, limit, bootstrapDraws: 0 });
  return { rate: limit / secondsSince(start), result };
}

/** The same requests, each in a call of its own. */
async function oneByOne(
  engine: TokenLanguageModel,
  { samples }: TaskResult,
): Promise<{ seconds: number; tokens: number }> {
  const start = process.cpuUsage();
  let tokens = 0;
  for (const request of samples.flatMap(({ document }) => document.requests)) {
    for (const prompt of request.prompts as readonly string[]) {
      if (request.kind === "generate") {
        const [answer] = await engine.generate([
          { prompt, maxNewTokens: request.maxNewTokens, stop: request.stop },
        ]);
        tokens += tokenizer.encode(prompt).length + answer!.tokens!.length;
      } else if (request.kind === "loglikelihood") {
        for (const continuation of request.continuations) {
          await engine.logLikelihood([{ context: prompt, continuation }]);
          tokens += tokenizer.encode(prompt + continuation).length - 1;
        }
      }
    }
  }
  return { seconds: secondsSince(start), tokens };
}

/** Tokens of all rows that are scored, by those that do not stand behind the same ones in another row. */
function savedTimes({ samples }: TaskResult): number {
  const seen = new Set<string>();
  let all = 0;
  for (const request of samples.flatMap(({ document }) => document.requests)) {
    if (request.kind !== "loglikelihood") continue;
    for (const prompt of request.prompts) {
      for (const continuation of request.continuations) {
        const row = tokenizer.encode(`${prompt}${continuation}`).slice(0, -1);
        all += row.length;
        for (let length = 1; length <= row.length; length++) seen.add(row.slice(0, length).join());
      }
    }
  }
  return all / seen.size;
}

interface HarnessRate {
  /** With its default, one request at a time. */
  readonly default_documents_s: number;
  /** With the batch size that suits it best. */
  readonly best_documents_s: number;
  readonly metrics: Record<string, number>;
}

/** Runs all plans in lm-evaluation-harness. */
async function harnessRates(): Promise<HarnessRate[] | undefined> {
  const python = process.env.PEER_PYTHON;
  if (!python) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "elenchus-bench-"));
  try {
    await savePretrained(model, folder);
    await writeTokenizer(folder, formatTokenizer(trained, ROLES));
    await writeFile(join(folder, "plans.json"), JSON.stringify({ new_tokens: NEW_TOKENS, plans }));
    return benchProcess<HarnessRate[]>(python, [], "peers/harness_tasks.py", [folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whether both have measured the same thing. */
function sameScores({ metrics }: TaskResult, theirs: Readonly<Record<string, number>>): boolean {
  return [...metrics].every(([key, value]) => Math.abs(value - theirs[key]!) < 1e-6);
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
