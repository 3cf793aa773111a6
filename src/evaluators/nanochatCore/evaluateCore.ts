import { ElenchusError, type Logger, systemClock } from "../../base/index.js";
import { hubSettings } from "../../hub/index.js";
import {
  type CoreSpec,
  coreBaselines,
  coreScore,
  coreTask,
  createRowLoader,
  type LoadedRows,
  runTask,
  type Task,
  type TaskResult,
} from "../../tasks/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { atOption } from "../atOption.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { EvaluationResult } from "../evaluationResult.js";
import type { EvaluatorPreparation } from "../evaluator.js";
import { requestedLanguageModel } from "../requestedLanguageModel.js";
import { logTaskSamples } from "../samples/taskSample.js";
import { warnOnce } from "../warnOnce.js";
import { type CoreBundle, coreBundle } from "./coreBundle.js";
import type { CoreConfig } from "./coreOptions.js";
import { coreTable } from "./coreTable.js";
import { coreTokenizer } from "./coreTokenizer.js";

/**
 * Fetches the bundle where it is missing, and looks for files, examples and a tokenizer that would be missing later.
 * @throws as `coreBundle`, `coreTokenizer`, `coreRows` and `Task.documents`
 */
export async function prepareCore(
  config: CoreConfig,
  { tokenizer, hub }: EvaluatorPreparation,
): Promise<void> {
  await atOption("tokenizer", () => coreTokenizer(config, tokenizer));
  const source = config.bundle_dir === undefined && config.data_dir !== undefined ? "data_dir" : "bundle_dir";
  const bundle = await atOption(source, () => coreBundle(config, hub));
  warnOfExcerpts(bundle, hub.logger);
  const { found } = await atOption(source, () => coreRows(config, bundle));
  const labels = found.map(({ spec }) => spec.label);
  await atOption("baselines", () => baselinesOf(config, bundle, labels));
  await atOption(limitKey(config), () => {
    for (const { spec, task, loaded } of found) {
      requireExamples(spec, loaded, config);
      for (const _ of task.documents(loaded.rows, { shots: task.shots, limit: limitOf(config) }));
    }
  });
}

/** Runs CORE on the model of a request. */
export async function evaluateCore(config: CoreConfig, request: EvaluationInput): Promise<EvaluationResult> {
  const { logger, signal } = request;
  const hub = { settings: hubSettings(process.env), logger, clock: systemClock, signal };
  const own = request.tokenizer ?? (request.model as { readonly tokenizer?: unknown } | null)?.tokenizer;
  const tokenizer = await coreTokenizer(config, own as Tokenizer | undefined);
  const bundle = await coreBundle(config, hub);
  warnOfExcerpts(bundle, logger);
  const { found, missing } = await coreRows(config, bundle);
  const { model, release } = await requestedLanguageModel({ ...request, tokenizer }, { unchanged: true });
  const runs: CoreRun[] = [];
  const counts = found.map(({ task, loaded }) => countRequests(task, loaded, limitOf(config)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let [before, known] = [0, 0];
  try {
    // One after the other: the requests of all together may need more memory than there is.
    for (const [place, { spec, task, loaded }] of found.entries()) {
      let knownHere = 0;
      const started = performance.now();
      const result = await runTask(task, loaded.rows, model, {
        tokenizer,
        limit: limitOf(config),
        signal,
        onProgress(progress) {
          knownHere = progress.known;
          request.progress?.(before + progress.done, total, known + progress.known);
        },
        allowDropped: config.allow_partial,
      });
      // Requests that are alike, or cannot be asked, are behind too.
      before += counts[place]!;
      known += knownHere;
      request.progress?.(before, total, known);
      const seconds = (performance.now() - started) / 1000;
      const accuracy = result.metrics.get("accuracy")!;
      logger.info(
        `[nanochat_core] ${spec.label} (${spec.shots}-shot, ${spec.form}): accuracy ${accuracy.toFixed(4)}, ${seconds.toFixed(1)} s`,
      );
      await logTaskSamples(request.samples, spec.label, result);
      runs.push({ label: spec.label, total: loaded.rows.evaluated.length, accuracy, result });
    }
  } finally {
    await release();
  }
  return resultOf(config, bundle, runs, missing);
}

function warnOfExcerpts({ excerpts }: CoreBundle, logger: Logger): void {
  if (excerpts === undefined) return;
  warnOnce(
    logger,
    "[nanochat_core] the bundle cannot be had, so that excerpts that come with the package stand for it: the metric is core_metric_partial. Name bundle_dir, or let it be fetched, for the whole.",
  );
}

/** Texts that are read for a task, at most. */
function countRequests(task: Task, { rows }: LoadedRows, limit: number | undefined): number {
  let count = 0;
  for (const { requests } of task.documents(rows, { shots: task.shots, limit })) {
    for (const one of requests) {
      count += one.kind === "span" && one.form === "language_modeling" ? 1 : one.prompts.length;
    }
  }
  return count;
}

interface FoundTask {
  readonly spec: CoreSpec;
  readonly task: Task;
  readonly loaded: LoadedRows;
}

interface CoreRun {
  readonly label: string;
  /** Rows that there are. */
  readonly total: number;
  readonly accuracy: number;
  readonly result: TaskResult;
}

/**
 * The rows of all tasks, and the tasks that have none.
 * @throws EVALUATION_CONFIG where something is missing and that is not allowed, or nothing is left; DATA_INVALID for
 *   a damaged file
 */
async function coreRows(
  { allow_partial: allowed }: CoreConfig,
  bundle: CoreBundle,
): Promise<{ found: FoundTask[]; missing: string[] }> {
  if (!bundle.isCore && !allowed) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `The core.yaml of ${bundle.folder} lists other tasks than the 22 of CORE. Set allow_partial = true to run those; their mean is then called core_metric_partial.`,
    );
  }
  const { excerpts } = bundle;
  const loader = await createRowLoader(
    excerpts === undefined ? { dataDir: bundle.folder } : { sources: excerpts },
  );
  const found: FoundTask[] = [];
  const missing: string[] = [];
  for (const spec of bundle.tasks) {
    const task = coreTask(spec);
    try {
      found.push({ spec, task, loaded: await loader.load(task, task.shots > 0) });
    } catch (error) {
      if (!(error instanceof ElenchusError) || !Array.isArray(error.details.looked)) throw error;
      missing.push(spec.label);
    }
  }
  const files = (labels: readonly string[]) =>
    bundle.tasks
      .filter(({ label }) => labels.includes(label))
      .map(({ label, file }) => `  ${label}: ${bundle.folder}/eval_data/${file}`)
      .join("\n");
  if (found.length === 0 || (missing.length > 0 && !allowed)) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `Of CORE's ${bundle.tasks.length} tasks ${missing.length} have no rows. Looked for:\n${files(missing)}\nName the folder of the whole bundle with bundle_dir${found.length === 0 ? "" : ", or set allow_partial = true to measure core_metric_partial on the others"}.`,
    );
  }
  return { found, missing };
}

function limitOf({ max_per_task: own, limit = -1 }: CoreConfig): number | undefined {
  const limits = [own, limit].filter((one) => one > 0);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/** The key of the smaller limit. */
function limitKey(config: CoreConfig): "max_per_task" | "limit" {
  return config.limit !== undefined && config.limit === limitOf(config) ? "limit" : "max_per_task";
}

/** Examples are drawn from the documents that are left, other than the one that is asked about. */
function requireExamples({ label, shots }: CoreSpec, { rows }: LoadedRows, config: CoreConfig): void {
  const limit = limitOf(config);
  if (limit === undefined || limit > shots || rows.evaluated.length <= shots) return;
  const key = limitKey(config);
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `${key} is ${limit}, and ${label} draws ${shots} examples from the documents beside the one that is asked about. Set ${key} to ${shots + 1} or more.`,
  );
}

function resultOf(
  config: CoreConfig,
  bundle: CoreBundle,
  runs: readonly CoreRun[],
  missing: readonly string[],
): EvaluationResult {
  const accuracies = new Map(runs.map(({ label, accuracy }) => [label, accuracy]));
  const { table, name } = baselinesOf(config, bundle, [...accuracies.keys()]);
  const { centred, metric } = coreScore(accuracies, table);
  const dropped = runs.reduce((sum, { result }) => sum + result.dropped.length, 0);
  const excerpt = bundle.excerpts !== undefined;
  const whole = bundle.isCore && missing.length === 0 && dropped === 0 && !excerpt;
  const key = whole ? "core_metric" : "core_metric_partial";
  const used = runs.reduce((sum, { result }) => sum + result.samples.length, 0);
  const reasons = [
    ...(excerpt ? ["excerpts of the bundle"] : []),
    ...(bundle.isCore ? [] : ["other tasks than those of CORE"]),
    ...(missing.length > 0 ? [`no rows for ${missing.join(", ")}`] : []),
    ...(dropped > 0 ? [`${dropped} rows dropped`] : []),
  ];
  return new EvaluationResult({
    evaluator: "nanochat_core",
    primaryMetric: key,
    metrics: { [key]: metric },
    higherIsBetter: { [key]: true },
    details: new Map([
      [`${key}_v1`, coreScore(accuracies, coreBaselines("v1")).metric],
      [`${key}_v2`, coreScore(accuracies, coreBaselines("v2")).metric],
      ...runs.flatMap(({ label, accuracy }): [string, number][] => [
        [label, accuracy],
        [`${label}_centered`, centred.get(label)!],
      ]),
    ]),
    metadata: {
      results: Object.fromEntries(accuracies),
      centered_results: Object.fromEntries(centred),
      baselines: name,
      missing,
      excerpt,
      dropped: Object.fromEntries(
        runs
          .filter(({ result }) => result.dropped.length > 0)
          .map(({ label, result }) => [label, result.dropped]),
      ),
      truncated_prompts: runs.reduce((sum, { result }) => sum + result.truncated, 0),
    },
    artifacts: { "core.csv": coreTable({ accuracies, centred, metric, whole }) },
    sampled: { used, total: runs.reduce((sum, { total }) => sum + total, 0) },
    partial: reasons.length > 0 ? reasons.join("; ") : null,
  });
}

/** @throws EVALUATION_CONFIG where the bundle's table lacks a task */
function baselinesOf({ baselines }: CoreConfig, bundle: CoreBundle, labels: readonly string[]) {
  if (baselines !== "bundle") return { table: coreBaselines(baselines), name: baselines };
  if (bundle.baselines === undefined) return { table: coreBaselines("v1"), name: "v1" };
  const absent = labels.filter((label) => !bundle.baselines!.has(label));
  if (absent.length === 0) return { table: bundle.baselines, name: "bundle" };
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `The eval_meta_data.csv of ${bundle.folder} has no baseline for ${absent.join(", ")}. Add it, or set baselines = "v1".`,
  );
}
