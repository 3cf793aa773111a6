import { join } from "node:path";
import { namesIn, unknownName } from "../../base/index.js";
import { firstSample } from "../../evaluators/index.js";

/** A file of samples: one task of one evaluator in one round. */
export interface SampleFile {
  readonly round: number;
  readonly evaluator: string;
  readonly task: string;
  readonly path: string;
}

/** The files of samples in a run's folder of them, by round, evaluator and task. None where none were logged. */
export async function sampleFiles(folder: string): Promise<SampleFile[]> {
  const found: SampleFile[] = [];
  for (const name of await namesIn(folder)) {
    const round = /^(\d{1,15})-.+\.jsonl$/s.exec(name)?.[1];
    if (round === undefined) continue;
    const path = join(folder, name);
    const owner = await firstSample(path);
    if (owner !== null) found.push({ round: Number(round), ...owner, path });
  }
  return found.sort(
    (a, b) => a.round - b.round || compareText(a.evaluator, b.evaluator) || compareText(a.task, b.task),
  );
}

/**
 * Those of one task: by its whole name, else by its name without dialect and number of examples, else all of the
 * evaluator of that name.
 * @throws NAME_UNKNOWN with the tasks that there are
 */
export function filesOfTask(files: readonly SampleFile[], task: string): SampleFile[] {
  const exact = files.filter((file) => file.task === task);
  if (exact.length > 0) return exact;
  const plain = files.filter((file) => plainName(file.task) === plainName(task));
  if (plain.length > 0) return plain;
  const whole = files.filter((file) => file.evaluator === task);
  if (whole.length > 0) return whole;
  throw unknownName("task with samples", task, [...new Set(files.map((file) => file.task))].sort());
}

/** `arc_easy` of `lighteval:arc_easy|5`. */
function plainName(task: string): string {
  return task.replace(/^[a-z]+:/, "").replace(/\|.*$/s, "");
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
