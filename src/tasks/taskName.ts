import { ElenchusError } from "../base/index.js";

/** A task as it is asked for: `[dialect:]name[:subset][@version][|shots]`. */
export interface TaskName {
  /** Undefined where none stands in front; then it is a user's own task, or lighteval's. */
  readonly dialect: string | undefined;
  /** Name and subset in one: `arc:easy` is `arc_easy`. */
  readonly name: string;
  readonly version: string | undefined;
  readonly shots: number | undefined;
}

/** Systems whose tasks are built in. */
export const DIALECTS: readonly string[] = ["lighteval", "harness", "core"];

/**
 * Takes a task's name apart.
 * @throws NAME_INVALID saying what is wrong with it
 */
export function parseTaskName(text: string): TaskName {
  const match = /^([^@|\s]+)(?:@([^@|\s]+))?(?:\|([^@|\s]*))?$/.exec(text.trim());
  const parts = match?.[1]?.split(":") ?? [];
  if (match === null || parts.some((part) => part === "")) throw invalid(text, "a name");
  const [, , version, shots] = match;
  if (shots !== undefined && !/^\d{1,6}$/.test(shots))
    throw invalid(text, "a whole number of shots behind |");
  const dialect = parts.length > 1 && DIALECTS.includes(parts[0]!) ? parts.shift() : undefined;
  return { dialect, name: parts.join("_"), version, shots: shots === undefined ? undefined : Number(shots) };
}

function invalid(text: string, expected: string): ElenchusError {
  return new ElenchusError(
    "NAME_INVALID",
    `${JSON.stringify(text)} is no name of a task: expected ${expected}, in the form [dialect:]name[:subset][@version][|shots], for example harness:arc_easy|5.`,
  );
}
