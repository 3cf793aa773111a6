import { ElenchusError } from "../../base/index.js";
import { isPlainObject, jsonCopy, NotJson } from "../jsonCopy.js";

/** What one example of a task was asked, answered and scored. Everything in it is plain JSON. */
export interface LoggedSample {
  /** Which example: the same in every round and every run, so that two runs can be compared on it. */
  readonly doc: number | string;
  /** What several examples have in common that are not independent, such as a passage. Default: `doc`. */
  readonly question?: number | string | undefined;
  /** What the model was asked. */
  readonly requests: readonly unknown[];
  /** What it answered, request by request. */
  readonly answers: readonly unknown[];
  /** What is right; absent where nothing is. */
  readonly gold?: unknown;
  /** By metric: its finite number for this example, several that only mean something together, or null for none. */
  readonly scores: Readonly<Record<string, number | readonly number[] | null>>;
}

/** A sample as a line of `samples/<round>-<name>-<task>.jsonl` holds it. */
export interface SampleLine extends LoggedSample {
  readonly evaluator: string;
  readonly task: string;
}

/** Characters of one text that are kept; of a longer one the beginning and the end. */
export const LONGEST_TEXT = 20_000;

/**
 * A sample as one line of JSON with its line feed.
 * @throws RESULT_INVALID naming what JSON cannot carry, or a score that is no number
 */
export function sampleLine(evaluator: string, task: string, sample: LoggedSample): string {
  const { doc, question, requests, answers, gold, scores } = sample;
  try {
    requireName(doc, "doc");
    if (question !== undefined) requireName(question, "question");
    if (!Array.isArray(requests)) throw new NotJson("requests is no list");
    if (!Array.isArray(answers)) throw new NotJson("answers is no list");
    if (!isPlainObject(scores)) throw new NotJson("scores is no plain object");
    for (const [metric, score] of Object.entries(scores)) requireScore(score, metric);
    const line = jsonCopy({ evaluator, task, doc, question, requests, answers, gold, scores }, "the sample");
    return `${JSON.stringify(line, (_, value: unknown) => shortened(value))}\n`;
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new ElenchusError(
      "RESULT_INVALID",
      `A sample of the task ${JSON.stringify(task.slice(0, 100))} cannot be logged: ${error.message}. Expected { doc, requests, answers, gold, scores } as plain JSON.`,
    );
  }
}

function requireName(value: unknown, field: string): void {
  if (typeof value === "string" || Number.isFinite(value)) return;
  throw new NotJson(`${field} is neither a number nor a text`);
}

function requireScore(score: unknown, metric: string): void {
  const numbers: readonly unknown[] = Array.isArray(score) ? score : [score];
  if (score === null || numbers.every((one) => Number.isFinite(one))) return;
  throw new NotJson(`the score ${JSON.stringify(metric)} is no finite number; null stands for none`);
}

/** A text of a whole book must not be written down for each of its questions. */
function shortened(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= LONGEST_TEXT) return value;
  const half = LONGEST_TEXT / 2;
  return `${value.slice(0, half)} [... ${value.length - LONGEST_TEXT} characters left out ...] ${value.slice(-half)}`;
}
