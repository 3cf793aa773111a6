// Documents per second of benchmarks with a llama of 40 million drawn weights on one core: all requests of a task
// together, by the default engine and by TensorFlow.js, against one request per call of the same API, and, where
// PEER_PYTHON names a Python that has lm_eval, against lm-evaluation-harness with the same weights, rows and one
// thread, in its default batches of one and in those that suit it best. The harness and the default engine take turns,
// and the median of each counts. Seconds are those of the processor; times by the clock stand beside them. With
// PARITY_DATA the rows are the real ones. BENCH_TURNS says how often they take turns (3).
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
import { round } from "./benchProcess.js";
import { type HarnessPeer, type HarnessRun, startHarness } from "./harnessPeer.js";
import { fortyMillionLlama } from "./languageModels.js";

/** Times lm-evaluation-harness in its default, for every benchmark with choices; times one request per call, for all. */
const CHOICES_TARGET = 3;
/** Times lm-evaluation-harness. */
const GENERATION_TARGET = 1;
/** Longest answer, as no answer of such a model ends. */
const NEW_TOKENS = 64;
/** How often the harness and the default engine take turns. */
const TURNS = Number(process.env.BENCH_TURNS ?? 3);
/** Of the harness: its default, one request at a time, and what suits it best of 4, 8 and 16 on a processor. */
const BATCH_SIZES = { choices: [1, 8], generation: [1, 16] } as const;
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

const folder = await mkdtemp(join(tmpdir(), "elenchus-bench-"));
const harness = await harnessPeer();
const ratios: Record<"alone" | "harness", number[]> = { alone: [], harness: [] };
let missed = false;
for (const [place, plan] of plans.entries()) {
  const task = taskOf(plan);
  const one = { shots: plan.shots, limit: 1 };
  for (const engine of Object.values(engines)) await run(task, plan, engine, one);
  const { together, peers } = await inTurns(task, place);
  const alone = await oneByOne(engines.own, together.result);
  const tensorflow = await run(task, plan, engines.tensorflow, { ...plan, limit: Math.ceil(plan.limit / 4) });
  const times = alone.seconds / together.seconds;
  const [timesDefault, timesBest] = peers.map((peer) => peer.seconds / together.seconds);
  console.log(
    JSON.stringify(
      {
        benchmark: plan.name,
        documents: plan.limit,
        documents_s: round(plan.limit / together.seconds),
        one_request_per_call_documents_s: round(plan.limit / alone.seconds),
        one_request_per_call_tokens_s: Math.round(alone.tokens / alone.seconds),
        times_one_request_per_call: round(times),
        // What sharing alone would give: tokens that calls of their own read, by those that differ.
        ...(plan.kind === "choices" && { tokens_saved_times: round(savedTimes(together.result)) }),
        tensorflow_documents_s: round(Math.ceil(plan.limit / 4) / tensorflow.seconds),
        harness_documents_s: peers[0]
          ? round(plan.limit / peers[0].seconds)
          : "left out: PEER_PYTHON names no Python",
        ...(timesDefault && {
          times_harness: round(timesDefault),
          times_harness_by_the_clock: round(peers[0]!.wall_seconds / together.wall_seconds),
          times_harness_in_its_best_batches: round(Math.min(timesDefault, timesBest!)),
          target_harness: plan.kind === "choices" ? CHOICES_TARGET : GENERATION_TARGET,
          same_scores: sameScores(together.result, peers[0]!.metrics),
        }),
      },
      null,
      2,
    ),
  );
  if (plan.kind === "choices") ratios.alone.push(times);
  if (plan.kind === "choices" && timesDefault) ratios.harness.push(timesDefault);
  if (timesDefault && timesDefault < (plan.kind === "choices" ? CHOICES_TARGET : GENERATION_TARGET))
    missed = true;
}
harness?.end();
await rm(folder, { recursive: true });
if (geometricMean(ratios.alone) < CHOICES_TARGET) missed = true;
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
): Promise<OwnRun> {
  const rows = { evaluated: splits[evaluated]!, pool: splits.train! };
  const [start, wall] = [process.cpuUsage(), performance.now()];
  const result = await runTask(task, rows, engine, { shots, limit, bootstrapDraws: 0 });
  return { seconds: secondsSince(start), wall_seconds: (performance.now() - wall) / 1000, result };
}

interface OwnRun {
  /** Of the processor. */
  readonly seconds: number;
  /** Of the clock. */
  readonly wall_seconds: number;
  readonly result: TaskResult;
}

/** The default engine and, where it is there, the harness with each of its batch sizes, in turns: the medians. */
async function inTurns(task: Task, place: number): Promise<{ together: OwnRun; peers: HarnessRun[] }> {
  const plan = plans[place]!;
  const sizes = harness ? BATCH_SIZES[plan.kind] : [];
  const own: OwnRun[] = [];
  const theirs: HarnessRun[][] = sizes.map(() => []);
  for (let turn = 0; turn < TURNS; turn++) {
    own.push(await run(task, plan, engines.own, plan));
    for (const [index, size] of sizes.entries()) theirs[index]!.push(await harness!.run(place, size));
  }
  return { together: median(own), peers: theirs.map(median) };
}

/** By seconds of the processor. */
function median<Run extends { readonly seconds: number }>(runs: readonly Run[]): Run {
  return [...runs].sort((one, other) => one.seconds - other.seconds)[runs.length >> 1]!;
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

/** lm-evaluation-harness with the same weights, tokenizer and plans. */
async function harnessPeer(): Promise<HarnessPeer | undefined> {
  const python = process.env.PEER_PYTHON;
  if (!python) return undefined;
  await savePretrained(model, folder);
  await writeTokenizer(folder, formatTokenizer(trained, ROLES));
  await writeFile(join(folder, "plans.json"), JSON.stringify({ new_tokens: NEW_TOKENS, plans }));
  return startHarness(python, folder);
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
