import type { RowMeasure } from "../../evaluations/index.js";
import type { LoggedSample } from "../samples/loggedSample.js";
import type { SampleLog } from "../samples/sampleLog.js";

/**
 * Logs what an evaluation's rows were asked and answered, where there is a log: a sample for each, named by the row,
 * and where a row is sampled several times by the row and a number from 0. A failed row has no score.
 * @param name of the evaluation, which is also that of the score
 * @param measures of all rows, those of one row behind one another
 */
export async function logRows(
  log: SampleLog | undefined,
  name: string,
  measures: readonly RowMeasure[],
): Promise<void> {
  if (log === undefined) return;
  const times = new Map<number, number>();
  for (const { row } of measures) times.set(row, (times.get(row) ?? 0) + 1);
  const met = new Map<number, number>();
  for (const measure of measures) {
    const { row } = measure;
    const number = met.get(row) ?? 0;
    met.set(row, number + 1);
    const named = times.get(row)! > 1 ? { doc: `${row}.${number}`, question: row } : { doc: row };
    await log.add(name, { ...named, ...sampleOf(name, measure) });
  }
}

function sampleOf(
  name: string,
  { value, sample, error }: RowMeasure,
): Pick<LoggedSample, "requests" | "answers" | "gold" | "scores"> {
  const { requests = [], answers = [], gold } = sample ?? {};
  return {
    requests,
    answers: error === null ? answers : [...answers, { error: error.message }],
    gold,
    scores: { [name]: value },
  };
}
