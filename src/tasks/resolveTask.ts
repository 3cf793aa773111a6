import { ElenchusError, nearest } from "../base/index.js";
import { isTaskFile, readTaskFile } from "./files/taskFile.js";
import { type TaskGroup, taskGroups } from "./groups.js";
import { tasks } from "./registry.js";
import type { Task } from "./task.js";
import { DIALECTS, parseTaskName, type TaskName } from "./taskName.js";

/** A task and with how many examples it is asked. */
export interface ChosenTask {
  readonly task: Task;
  readonly shots: number;
  /** Shots that were asked for and are not taken: the task has its own and no others. */
  readonly ignoredShots?: number;
}

/** What a name stands for: one task, or the tasks of a group. */
export interface ChosenTasks {
  readonly tasks: readonly ChosenTask[];
  readonly group: TaskGroup | undefined;
}

/**
 * Finds what `[dialect:]name[:subset][@version][|shots]` stands for; instead of a name there may be the path of a
 * task file.
 * @param shots counts before what the name says
 * @throws NAME_INVALID; NAME_UNKNOWN with the nearest name; as `readTaskFile`
 */
export function resolveTask(text: string, shots?: number): ChosenTasks {
  const [path = "", count] = text.split("|");
  if (isTaskFile(path) && (count === undefined || /^\d{1,6}$/.test(count))) {
    const named = count === undefined ? undefined : Number(count);
    return { tasks: [chosen(readTaskFile(path), shots ?? named)], group: undefined };
  }
  const name = parseTaskName(text);
  const wanted = shots ?? name.shots;
  for (const full of fullNames(name)) {
    const group = taskGroups.get(full);
    if (group !== undefined) {
      return { tasks: group.tasks.map((one) => chosen(tasks.lookup(one), wanted)), group };
    }
    if (tasks.has(full)) return { tasks: [chosen(tasks.lookup(full), wanted)], group: undefined };
  }
  const today = name.version === undefined ? undefined : findTask({ ...name, version: undefined });
  if (today !== undefined && sameVersion(today.version, name.version!)) {
    return { tasks: [chosen(today, wanted)], group: undefined };
  }
  throw unknownTask(text, name, today);
}

/**
 * The names under which a task may be registered, in the order of search. The harness's tasks from before its YAML
 * files all go by v0, though some had reached v1.
 */
function fullNames({ dialect, name, version }: TaskName): string[] {
  const spoken = name.replace(/^hendrycksTest-/, "mmlu_");
  const versions = version === undefined ? [""] : [`@${version}`, ...(version === "v0" ? ["@v1"] : [])];
  const dialects = dialect === undefined ? ["", "lighteval:"] : [`${dialect}:`];
  return versions.flatMap((suffix) =>
    dialects.map((prefix) => `${SYNONYMS.get(prefix + spoken) ?? prefix + spoken}${suffix}`),
  );
}

/** Names that a task has besides, as its own system or users write it. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["lighteval:wikitext", "lighteval:wikitext_103_document_level"],
  ["lighteval:truthfulqa", "lighteval:truthfulqa_mc"],
  ["harness:squad_v2", "harness:squadv2"],
]);

function findTask(name: TaskName): Task | undefined {
  const full = fullNames(name).find((one) => tasks.has(one));
  return full === undefined ? undefined : tasks.lookup(full);
}

function sameVersion(one: string, other: string): boolean {
  return one.replace(/^v/, "") === other.replace(/^v/, "");
}

function chosen(task: Task, shots: number | undefined): ChosenTask {
  if (shots === undefined || shots === task.shots) return { task, shots: task.shots };
  return task.shotsFixed ? { task, shots: task.shots, ignoredShots: shots } : { task, shots };
}

function unknownTask(text: string, { dialect, version }: TaskName, today: Task | undefined): ElenchusError {
  const known = [...tasks.registeredNames(), ...taskGroups.keys()].sort();
  const versions = known.filter((one) => today !== undefined && one.startsWith(`${today.name}@`));
  if (today !== undefined && version !== undefined) {
    const others = [today.version, ...versions.map((one) => one.split("@")[1]!)];
    return new ElenchusError(
      "NAME_UNKNOWN",
      `${today.name} has no version ${version}. It has ${others.join(", ")}.`,
      { details: { kind: "task", name: text, registered: others } },
    );
  }
  const bare = text.split(/[@|]/)[0]!;
  const near = nearest(dialect === undefined ? `lighteval:${bare}` : bare, known) ?? nearest(bare, known);
  return new ElenchusError(
    "NAME_UNKNOWN",
    `No such task: ${JSON.stringify(text)}.${near === undefined ? "" : ` Did you mean "${near}"?`} Dialects are ${DIALECTS.join(", ")}; \`elenchus list tasks\` shows all ${known.length} names.`,
    { details: { kind: "task", name: text, suggestion: near ?? null } },
  );
}
