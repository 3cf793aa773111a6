import { ElenchusError, type Logger } from "../../base/index.js";
// Past the index, which loads TensorFlow.js.
import { BACKEND_NAMES } from "../../compute/backend.js";
import type { HubEnvironment } from "../../hub/index.js";
import type { PassOptions } from "../../language/index.js";
import {
  createRowLoader,
  type DocumentOptions,
  type LoadedRows,
  type RunTasksOptions,
  runTasks,
  type Task,
  type TaskResult,
} from "../../tasks/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { atOption } from "../atOption.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { EvaluationResult } from "../evaluationResult.js";
import type { EvaluatorPreparation } from "../evaluator.js";
import { requestedLanguageModel } from "../requestedLanguageModel.js";
import { requireLength, requireMetric } from "../requireKnown.js";
import { logTaskSamples } from "../samples/taskSample.js";
import { warnOnce } from "../warnOnce.js";
import { type ChosenTasks, chosenTasks, type NamedTask } from "./chosenTasks.js";
import type { LightevalConfig } from "./lightevalOptions.js";
import { DEFAULT_PRESET, presets } from "./presets.js";
import { type RunTask, summarise, summaryName } from "./summary.js";

/**
 * Looks for tasks, rows and settings that would fail later.
 * @throws as `chosenTasks`, `RowLoader.load` and `Task.documents`; EVALUATION_CONFIG
 */
export async function prepareTasks(
  config: LightevalConfig,
  { config: whole, tokenizer, model, hub }: EvaluatorPreparation,
): Promise<void> {
  const naming = config.tasks === undefined ? "preset" : "tasks";
  const chosen = await atOption(naming, () => chosenTasks(config));
  await atOption("primary_metric", () => requirePrimary(config, chosen));
  await atOption("device", () => requireDevice(config, whole.trainer.backend));
  await atOption("max_length", () => requireLength("max_length", config.max_length, model));
  const options = await atOption("chat_template", () => documentOptions(config, tokenizer));
  const source = (["sources", "data_dir"] as const).find((key) => config[key] !== undefined) ?? naming;
  const found = await atOption(source, () => rowsOf(config, chosen.tasks, hub));
  warnOfExcerpts(found, hub.logger);
  await atOption(naming, () => {
    for (const { task, shots, loaded } of found) countDocuments(task, loaded, { ...options, shots });
  });
}

/** Runs all tasks of a table on the model of a request, all their requests in one go. */
export async function evaluateTasks(
  config: LightevalConfig,
  request: EvaluationInput,
): Promise<EvaluationResult> {
  const say = (message: string) => config.show_progress && request.logger.info(`[lighteval] ${message}`);
  const chosen = chosenTasks(config);
  requirePrimary(config, chosen);
  requireDevice(config, request.context.device);
  const found = await rowsOf(config, chosen.tasks);
  warnOfExcerpts(found, request.logger);
  const { model, tokenizer, release } = await requestedLanguageModel(request, {
    ...passLimits(config.batch_size),
    unchanged: true,
  });
  const options = documentOptions(config, tokenizer);
  const total = found.reduce((sum, one) => sum + totalDocuments(one, options), 0);

  say(`${found.length} ${found.length === 1 ? "task" : "tasks"}, ${documentsText(total, options.limit)}`);
  const started = performance.now();
  const results = await runTasks(
    found.map(({ task, shots, loaded }) => ({ task, shots, rows: loaded.rows })),
    model,
    {
      ...options,
      tokenizer,
      maxLength: config.max_length,
      signal: request.signal,
      onProgress: ({ done, total: all, known }) => request.progress?.(done, all, known),
      stderr: config.stderr === "lighteval" ? "lighteval" : "sound",
    },
  ).finally(release);
  const runs = found.map((one, place) => ({ ...one, result: results[place]! }));
  for (const { name, result } of runs) await logTaskSamples(request.samples, name, result);
  const used = results.reduce((sum, { samples }) => sum + samples.length, 0);
  const seconds = (performance.now() - started) / 1000;
  say(`${used} documents in ${seconds.toFixed(1)} s, ${(used / seconds).toFixed(1)} a second`);
  warnOfSilence(runs, request);
  return resultOf({ config, chosen, runs, chat: options.chat !== undefined, used, total });
}

interface FoundTask extends NamedTask {
  readonly loaded: LoadedRows;
}

async function rowsOf(
  { data_dir: dataDir, sources }: LightevalConfig,
  tasks: readonly NamedTask[],
  hub?: HubEnvironment,
): Promise<FoundTask[]> {
  const loader = await createRowLoader({ dataDir, sources, hub });
  const found: FoundTask[] = [];
  const missing: ElenchusError[] = [];
  for (const one of tasks) {
    try {
      found.push({ ...one, loaded: await loader.load(one.task, one.shots > 0) });
    } catch (error) {
      // Whoever puts rows somewhere wants to know of all tasks at once.
      if (!(error instanceof ElenchusError) || !Array.isArray(error.details.looked)) throw error;
      missing.push(error);
    }
  }
  const [first, ...others] = missing;
  if (first === undefined) return found;
  throw others.length === 0
    ? first
    : new ElenchusError(first.code, missing.map(({ message }) => message).join("\n"), { cause: first });
}

function documentOptions(
  config: LightevalConfig,
  tokenizer: Tokenizer | undefined,
): Omit<DocumentOptions, "shots"> {
  const hasTemplate = tokenizer?.chatTemplate !== undefined;
  if (config.chat_template === true && tokenizer !== undefined && !hasTemplate) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      'chat_template is true, but the tokenizer has no chat template. Set it to false or "auto".',
    );
  }
  const chats = config.chat_template === "auto" ? hasTemplate : config.chat_template;
  return {
    limit: limitOf(config),
    seed: config.seed,
    systemPrompt: config.system_prompt,
    chat: chats ? { fewshotAsTurns: config.fewshot_as_multiturn } : undefined,
  };
}

/** The smaller one of the two keys that mean the same. */
function limitOf({ max_samples: own = Number.POSITIVE_INFINITY, limit = -1 }: LightevalConfig) {
  const smaller = Math.min(own, limit < 0 ? Number.POSITIVE_INFINITY : limit);
  return Number.isFinite(smaller) ? smaller : undefined;
}

/** How many documents there are without a limit: a task may ask about fewer than all rows. */
function totalDocuments({ task, shots, loaded }: FoundTask, options: RunTasksOptions): number {
  return countDocuments(task, loaded, { ...options, limit: undefined, shots: task.shotsFixed ? shots : 0 });
}

function countDocuments(task: Task, { rows }: LoadedRows, options: DocumentOptions): number {
  let count = 0;
  for (const _ of task.documents(rows, options)) count += 1;
  return count;
}

function documentsText(total: number, limit: number | undefined): string {
  return limit === undefined ? `${total} documents` : `at most ${limit} documents of each`;
}

/** Rows of a fixed length, as the engine packs by tokens. */
const BATCH_ROW = { tokens: 512, kept: 8192 };

function passLimits(batchSize: number | "auto"): PassOptions {
  return batchSize === "auto"
    ? {}
    : { passTokens: batchSize * BATCH_ROW.tokens, keptTokens: batchSize * BATCH_ROW.kept };
}

function requirePrimary({ primary_metric: primary }: LightevalConfig, chosen: ChosenTasks): void {
  const names = [...chosen.tasks.map(summaryName), ...chosen.averages.map(({ name }) => name)];
  requireMetric(primary, names, "these tasks");
}

/** A model cannot be moved from one back end to another. */
function requireDevice({ device }: LightevalConfig, backend: string): void {
  if (device === undefined || device === "auto" || device === backend) return;
  // Which one it will be is seen when the model is there.
  const isBackend = (BACKEND_NAMES as readonly string[]).includes(device);
  if (backend === "auto" && isBackend) return;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `device is "${device}", but the model is on the back end "${backend}". ${isBackend ? `Set trainer.backend = "${device}", or leave device out.` : `Leave device out, or name a back end: ${BACKEND_NAMES.join(", ")}.`}`,
  );
}

/** What is measured on an excerpt must not pass for the benchmark. */
function warnOfExcerpts(found: readonly FoundTask[], logger: Logger): void {
  const names = found.filter(({ loaded }) => loaded.excerpt).map(({ name }) => name);
  if (names.length === 0) return;
  warnOnce(
    logger,
    `[lighteval] neither a folder nor the hub has the rows of ${names.join(", ")} now: they are asked on excerpts that come with the package, and the result is partial. Name data_dir, or let the hub be reached, for the whole.`,
  );
}

/** An answer format that a model never finds looks like a bad model. */
function warnOfSilence(runs: readonly RunTask[], { logger }: EvaluationInput): void {
  for (const { name, result } of runs) {
    if (result.empty <= result.samples.length / 2) continue;
    logger.warn(`[lighteval] ${name}: ${result.empty} of ${result.samples.length} answers are empty`);
  }
}

interface Evaluated {
  readonly config: LightevalConfig;
  readonly chosen: ChosenTasks;
  readonly runs: readonly (FoundTask & { result: TaskResult })[];
  readonly chat: boolean;
  readonly used: number;
  readonly total: number;
}

function resultOf({ config, chosen, runs, chat, used, total }: Evaluated): EvaluationResult {
  const { preset = config.tasks === undefined ? DEFAULT_PRESET : undefined, stderr, backend } = config;
  const { metrics, higherIsBetter, details, errors, raw } = summarise(runs, chosen, stderr);
  const own = preset === undefined ? undefined : presets[preset]!.primary;
  const primaryMetric = config.primary_metric ?? own ?? [...metrics.keys()][0] ?? "";
  const excerpts = runs.filter(({ loaded }) => loaded.excerpt).map(({ name }) => name);
  const missing = [
    ...(excerpts.length > 0 ? [`excerpts of ${excerpts.join(", ")}`] : []),
    ...runs.flatMap(({ name, loaded }) => loaded.missing.map((split) => `${name} without ${split}`)),
  ];
  return new EvaluationResult({
    evaluator: "lighteval",
    primaryMetric,
    metrics,
    higherIsBetter,
    details,
    standardErrors: errors,
    metadata: {
      ...(preset !== undefined && { preset }),
      tasks: runs.map(({ name }) => name),
      backend,
      raw_metrics: raw,
      chat_template: chat,
      stderr,
      runs: Object.fromEntries(runs.map((run) => [run.name, runFacts(run)])),
    },
    sampled: { used, total },
    partial: missing.length > 0 ? missing.join(", ") : null,
  });
}

function runFacts({ task, shots, loaded, result }: Evaluated["runs"][number]) {
  const { samples, truncated, empty } = result;
  return {
    task: task.name,
    version: task.version,
    shots,
    documents: samples.length,
    rows_from: loaded.from,
    excerpt: loaded.excerpt,
    truncated_prompts: truncated,
    empty_answers: empty,
    ...result.facts,
  };
}
