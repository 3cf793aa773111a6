import { columnName } from "../../base/index.js";
import { errorKey, groupResult, metricKey, type TaskResult } from "../../tasks/index.js";
import type { ChosenTasks, NamedAverage, NamedTask } from "./chosenTasks.js";

/** A task and what it came to. */
export interface RunTask extends NamedTask {
  readonly result: TaskResult;
}

/** Results under the names that they have in the record. */
export interface Summary {
  /** One number per task and mean. */
  readonly metrics: ReadonlyMap<string, number>;
  readonly higherIsBetter: ReadonlyMap<string, boolean>;
  /** Every number with its standard error, `<task>_<metric>` and `<task>_<metric>_stderr`. */
  readonly details: ReadonlyMap<string, number>;
  /** Standard errors by the names of `metrics` and `details`, where they are known. */
  readonly errors: ReadonlyMap<string, number>;
  /** As lighteval's results are keyed: `arc:easy:0` -> metric -> number. */
  readonly raw: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

type Numbers = ReadonlyMap<string, number>;
type Convention = "correct" | "lighteval";

/** Summarises as Plato's adapter does: a number per task, means behind their tasks, then all details. */
export function summarise(
  runs: readonly RunTask[],
  { averages }: Pick<ChosenTasks, "averages">,
  stderr: Convention,
): Summary {
  const metrics = new Map<string, number>();
  const higherIsBetter = new Map<string, boolean>();
  const details = new Map<string, number>();
  const errors = new Map<string, number>();
  const raw: Record<string, Record<string, number>> = {};
  const note = (name: string, rawName: string, numbers: Numbers, known: Numbers) => {
    raw[rawName] = Object.fromEntries(numbers);
    for (const [key, value] of numbers) details.set(`${name}_${columnName(key)}`, value);
    for (const [key, error] of known) errors.set(`${name}_${columnName(key)}`, error);
  };
  const summary = (name: string, value: number | undefined, higher: boolean, error: number | undefined) => {
    if (value === undefined) return;
    if (error !== undefined) errors.set(name, error);
    metrics.set(name, value);
    higherIsBetter.set(name, higher);
  };

  const waiting = new Set(averages);
  for (const [place, run] of runs.entries()) {
    const key = headline(run.result);
    const higher = key === undefined || directionOf(run.result, key);
    summary(summaryName(run), summaryValue(run.result), higher, summaryError(run.result));
    const done = new Set<NamedTask["task"]>(runs.slice(0, place + 1).map(({ task }) => task));
    for (const average of waiting) {
      if (!average.members.every(({ task }) => done.has(task))) continue;
      waiting.delete(average);
      const { metrics: means, errors: known } = averageOf(average, runs, stderr);
      const first = runsOf(average, runs)[0]!.result;
      const shared = headline(first);
      if (shared === undefined) continue;
      summary(average.name, means.get(shared), directionOf(first, shared), known.get(shared));
    }
  }
  for (const run of runs) note(run.name, rawName(run), numbersOf(run.result), run.result.standardErrors);
  for (const average of averages) {
    const { numbers, errors: known } = averageOf(average, runs, stderr);
    note(average.name, average.raw, numbers, known);
  }
  if (runs.length > 1) note("all", "all", overall(runs, stderr), new Map());
  return { metrics, higherIsBetter, details, errors, raw };
}

/** What the single number of a task is called: that of IFEval is a mean, and says so. */
export function summaryName({ name, task }: NamedTask): string {
  return isInstructions(task.metrics.map((metric) => metric.name)) ? `${name}_avg` : name;
}

/** In this order the first metric that there is stands for its task; else the first of all. */
const HEADLINES = ["exact_match", "em", "loglikelihood_acc", "accuracy", "acc"];

function headline({ task, metrics }: TaskResult): string | undefined {
  const present = task.metrics.filter((metric) => metrics.has(metricKey(task, metric)));
  const [best] = HEADLINES.flatMap((name) => present.filter((metric) => metric.name === name));
  const chosen = best ?? present[0];
  return chosen && metricKey(task, chosen);
}

function summaryValue(result: TaskResult): number | undefined {
  const { task, metrics } = result;
  if (isInstructions(task.metrics.map(({ name }) => name))) {
    const both = PROMPT_LEVEL.map((key) => metrics.get(key)).filter((value) => value !== undefined);
    if (both.length > 0) return both.reduce((sum, value) => sum + value, 0) / both.length;
  }
  const key = headline(result);
  return key === undefined ? undefined : metrics.get(key);
}

/** Of the number that stands for a task; of a mean of two that go together it is not known. */
function summaryError(result: TaskResult): number | undefined {
  const key = headline(result);
  if (key === undefined || isInstructions(result.task.metrics.map(({ name }) => name))) return undefined;
  return result.standardErrors.get(key);
}

const PROMPT_LEVEL = ["prompt_level_strict_acc", "prompt_level_loose_acc"];

function isInstructions(names: readonly string[]): boolean {
  return PROMPT_LEVEL.every((name) => names.includes(name));
}

function directionOf({ task }: TaskResult, key: string): boolean {
  return task.metrics.find((metric) => metricKey(task, metric) === key)?.higherIsBetter ?? true;
}

/** Metrics, each with its standard error behind it where that is known. */
function numbersOf({ task, metrics, standardErrors }: TaskResult): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const metric of task.metrics) {
    const key = metricKey(task, metric);
    const [value, error] = [metrics.get(key), standardErrors.get(key)];
    if (value !== undefined) numbers.set(key, value);
    if (error !== undefined) numbers.set(errorKey(task, metric), error);
  }
  return numbers;
}

function runsOf({ members }: NamedAverage, runs: readonly RunTask[]): RunTask[] {
  return members.map(({ name }) => runs.find((run) => run.name === name)!);
}

/**
 * The mean of a group. Means of tasks that all count alike are of independent numbers, so their error is the root of
 * the sum of squares by the number of tasks; lighteval takes the mean of the errors.
 */
function averageOf(average: NamedAverage, runs: readonly RunTask[], stderr: Convention) {
  const results = runsOf(average, runs).map(({ result }) => result);
  const { task } = results[0]!;
  const { metrics, standardErrors } = groupResult(average, results)!;
  const numbers = new Map<string, number>();
  const errors = new Map<string, number>();
  for (const metric of task.metrics) {
    const key = metricKey(task, metric);
    const value = metrics.get(key);
    if (value === undefined) continue;
    numbers.set(key, value);
    const error =
      average.average === "tasks"
        ? meanOfErrors(
            results.map((result) => result.standardErrors.get(key)),
            stderr,
          )
        : standardErrors.get(key);
    if (error === undefined) continue;
    numbers.set(errorKey(task, metric), error);
    errors.set(key, error);
  }
  return { metrics, numbers, errors };
}

/** lighteval's `all`: of every metric the mean over the tasks that have it. */
function overall(runs: readonly RunTask[], stderr: Convention): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { task } of runs) {
    for (const metric of task.metrics) {
      const key = metricKey(task, metric);
      if (numbers.has(key)) continue;
      const having = runs.map(({ result }) => result).filter(({ metrics }) => metrics.has(key));
      if (having.length === 0) continue;
      numbers.set(key, having.reduce((sum, { metrics }) => sum + metrics.get(key)!, 0) / having.length);
      const error = meanOfErrors(
        having.map(({ standardErrors }) => standardErrors.get(key)),
        stderr,
      );
      if (error !== undefined) numbers.set(errorKey(task, metric), error);
    }
  }
  return numbers;
}

function meanOfErrors(errors: readonly (number | undefined)[], stderr: Convention): number | undefined {
  const known = errors.filter((error) => error !== undefined);
  if (known.length < errors.length) return undefined;
  const sum = known.reduce((total, error) => total + (stderr === "lighteval" ? error : error ** 2), 0);
  return (stderr === "lighteval" ? sum : Math.sqrt(sum)) / known.length;
}

function rawName({ name, task, shots }: NamedTask): string {
  if (task.dialect !== "lighteval") return `${name}:${shots}`;
  return `${task.name.replace(/^lighteval:/, "").replace(/^(arc|mmlu|lambada|truthfulqa)_/, "$1:")}:${shots}`;
}
