import { ElenchusError } from "../../base/index.js";
import type { LanguageModel } from "../../language/index.js";
import type { TaskDocument } from "../document.js";
import type { Metric, SampleValue, TaskAnswers } from "../metrics/metric.js";
import type { ErrorOptions } from "../metrics/standardError.js";
import type { DocumentOptions, Task, TaskRows } from "../task.js";
import { type AnswerOptions, answerAll, type DocumentAnswers } from "./answers.js";
import { metricKey } from "./metricKey.js";
import { type ReasoningTags, THINK_TAGS, withoutReasoning } from "./reasoning.js";

/** A task that is to be run, and its rows. */
export interface TaskToRun {
  readonly task: Task;
  readonly rows: TaskRows;
  /** Default: the task's own. */
  readonly shots?: number | undefined;
}

/** How tasks are run. */
export interface RunTasksOptions extends Omit<DocumentOptions, "shots">, AnswerOptions {
  /**
   * Whether documents that cannot be asked are left out, and listed as dropped. Default false: the first is an error.
   */
  readonly allowDropped?: boolean | undefined;
  /** Convention of bootstrapped standard errors. Default `sound`. */
  readonly stderr?: ErrorOptions["convention"];
  /**
   * Between which tags an answer reasons; metrics do not see it. Default: `<think>` and `</think>` for lighteval's
   * tasks, none for all others.
   */
  readonly reasoningTags?: ReasoningTags | undefined;
  /** Draws of a bootstrap. Default: 100,000 for the harness's tasks, 1,000 for all others; 0 for none. */
  readonly bootstrapDraws?: number | undefined;
}

/** What one document was asked, answered and scored. */
export interface SampleResult {
  readonly document: TaskDocument;
  /** As they came, reasoning included. */
  readonly answers: TaskAnswers;
  /** By the key of the metric. */
  readonly scores: ReadonlyMap<string, SampleValue>;
}

/** What a task comes to. */
export interface TaskResult {
  readonly task: Task;
  readonly shots: number;
  /** By keys as the task's system writes them. */
  readonly metrics: ReadonlyMap<string, number>;
  /** By the keys of the metrics; absent where none is known. */
  readonly standardErrors: ReadonlyMap<string, number>;
  readonly samples: readonly SampleResult[];
  /** As the task's `facts` says; empty where it says nothing. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly dropped: readonly { readonly doc: number; readonly reason: string }[];
  /** Requests whose prompt was too long and lost its beginning. */
  readonly truncated: number;
  /** Generated answers of which nothing is left. */
  readonly empty: number;
}

/** Runs one task. @throws as `runTasks` */
export async function runTask(
  task: Task,
  rows: TaskRows,
  model: LanguageModel,
  options: RunTasksOptions & { shots?: number } = {},
): Promise<TaskResult> {
  const [result] = await runTasks([{ task, rows, shots: options.shots }], model, options);
  return result!;
}

/**
 * Asks a model all requests of several tasks in one batch per kind, scores and aggregates.
 * @throws DATA_INVALID for rows that do not fit, a document that cannot be asked, or a task without documents; what
 *   the model throws
 */
export async function runTasks(
  chosen: readonly TaskToRun[],
  model: LanguageModel,
  options: RunTasksOptions = {},
): Promise<TaskResult[]> {
  const asked = chosen.map(({ task, rows, shots = task.shots }) => {
    const documents = [...task.documents(rows, { ...options, shots })];
    return { task, shots, documents };
  });
  const answers = await answerAll(
    model,
    asked.flatMap(({ task, documents }) => documents.map(({ requests }) => ({ task, requests }))),
    options,
  );
  let next = 0;
  return asked.map(({ task, shots, documents }) => {
    const own = answers.slice(next, next + documents.length);
    next += documents.length;
    return taskResult({ task, shots, documents, answers: own }, options);
  });
}

interface AnsweredTask {
  readonly task: Task;
  readonly shots: number;
  readonly documents: readonly TaskDocument[];
  readonly answers: readonly DocumentAnswers[];
}

/** What metrics see of answers, and what they make of it. */
export function scoreDocument(
  task: Task,
  document: TaskDocument,
  answers: TaskAnswers,
  reasoningTags: ReasoningTags = task.dialect === "lighteval" ? THINK_TAGS : [],
): Pick<SampleResult, "scores"> & { readonly seen: TaskAnswers } {
  const seen = withoutReasoning(answers, reasoningTags);
  const scores = new Map(
    task.metrics.map((metric) => [metricKey(task, metric), metric.score(document, seen)] as const),
  );
  return { scores, seen };
}

function taskResult({ task, shots, documents, answers }: AnsweredTask, options: RunTasksOptions): TaskResult {
  const dropped: { doc: number; reason: string }[] = [];
  const samples: SampleResult[] = [];
  const answered: { document: TaskDocument; answers: TaskAnswers }[] = [];
  for (const [place, document] of documents.entries()) {
    const answer = answers[place]!;
    if ("refused" in answer) {
      if (!options.allowDropped) throw notAsked(task, document, answer.refused);
      dropped.push({ doc: document.doc, reason: answer.refused });
      continue;
    }
    const { scores, seen } = scoreDocument(task, document, answer, options.reasoningTags);
    samples.push({ document, answers: answer, scores });
    answered.push({ document, answers: seen });
  }
  if (samples.length === 0) throw noDocuments(task, dropped.length);
  const measured = aggregateSamples(task, samples, options);
  const all = samples.map((sample) => sample.answers);
  return {
    task,
    shots,
    ...measured,
    samples,
    facts: task.facts?.(answered) ?? {},
    dropped,
    truncated: count(all, ({ scores, generations }) =>
      [...scores, ...generations].map((one) => one.truncated > 0),
    ),
    empty: count(all, ({ generations }) => generations.map(({ text }) => text.trim() === "")),
  };
}

/** The metrics of a task over the scores of its samples, at least one, with their standard errors. */
export function aggregateSamples(
  task: Task,
  samples: readonly Pick<SampleResult, "scores">[],
  {
    stderr,
    bootstrapDraws = task.dialect === "harness" ? 100_000 : 1000,
  }: Pick<RunTasksOptions, "stderr" | "bootstrapDraws"> = {},
): Pick<TaskResult, "metrics" | "standardErrors"> {
  const metrics = new Map<string, number>();
  const standardErrors = new Map<string, number>();
  for (const metric of task.metrics) {
    const key = metricKey(task, metric);
    const values = samples.map(({ scores }) => scores.get(key)!);
    const value = metric.aggregate(values);
    if (Number.isFinite(value)) metrics.set(key, value);
    const error = errorOf(metric, values, { convention: stderr, bootstrapDraws });
    if (error !== undefined) standardErrors.set(key, error);
  }
  return { metrics, standardErrors };
}

function errorOf(metric: Metric, values: readonly SampleValue[], options: ErrorOptions): number | undefined {
  const error = metric.standardError(values, options);
  return error !== undefined && Number.isFinite(error) ? error : undefined;
}

function count(answers: readonly TaskAnswers[], test: (answer: TaskAnswers) => readonly boolean[]): number {
  return answers.reduce((sum, answer) => sum + test(answer).filter(Boolean).length, 0);
}

function notAsked(task: Task, { doc }: TaskDocument, reason: string): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `Row ${doc} of ${task.name} cannot be asked with this tokenizer: ${reason}. Allow rows to be dropped, and the result will count as partial.`,
    { details: { task: task.name, row: doc } },
  );
}

function noDocuments(task: Task, dropped: number): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `${task.name} has no documents${dropped > 0 ? ` left; all ${dropped} were dropped` : ""}. Check its rows and the limit.`,
  );
}
