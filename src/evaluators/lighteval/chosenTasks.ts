import { columnName, ElenchusError } from "../../base/index.js";
import { resolveTask, type Task, type TaskGroup } from "../../tasks/index.js";
import type { LightevalConfig } from "./lightevalOptions.js";
import { DEFAULT_PRESET, presets } from "./presets.js";

/** A task, and what its columns are called. */
export interface NamedTask {
  /** `arc_easy`; with dialect where it is another than lighteval's: `harness_arc_easy`. */
  readonly name: string;
  readonly task: Task;
  readonly shots: number;
}

/** Tasks of which a mean is taken. */
export interface NamedAverage {
  /** `arc_avg`. */
  readonly name: string;
  /** How lighteval names it in its results. */
  readonly raw: string;
  readonly average: TaskGroup["average"];
  readonly members: readonly NamedTask[];
}

/** What a table asks for. */
export interface ChosenTasks {
  readonly tasks: readonly NamedTask[];
  readonly averages: readonly NamedAverage[];
}

/**
 * Finds the tasks of a table, in its order and each once.
 * @throws NAME_UNKNOWN; NAME_INVALID; EVALUATION_CONFIG for a task that is named twice
 */
export function chosenTasks({ tasks, preset = DEFAULT_PRESET }: LightevalConfig): ChosenTasks {
  const resolved = (tasks ?? presets[preset]!.tasks).map((text) => resolveTask(ownName(text)));
  const found = resolved.flatMap((one) => one.tasks);
  const shortNames = found.map(({ task }) => shortName(task.name));
  const named = found.map(({ task, shots }, place): NamedTask => {
    const short = shortNames[place]!;
    const alone = shortNames.indexOf(short) === shortNames.lastIndexOf(short);
    return { name: alone ? short : `${columnName(task.name)}_${shots}_shots`, task, shots };
  });
  const names = named.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) {
    const { task, shots } = named[names.indexOf(twice)]!;
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `The task ${task.name}|${shots} is asked for twice. Name it once.`,
    );
  }
  let next = 0;
  const groups = resolved.map(({ tasks: own, group }) => {
    const members = named.slice(next, next + own.length);
    next += own.length;
    return { group, members };
  });
  return { tasks: named, averages: averagesOf(named, groups) };
}

/** lighteval's own task with both splits has its full name; the short one is Plato's task. */
function ownName(text: string): string {
  return text.replace(/^piqa(?=\||$)/, "piqa_hf");
}

/** Without the dialect that is meant where none is named. */
function shortName(task: string): string {
  return columnName(task.replace(/^lighteval:/, "").replace(/^piqa_hf$/, "piqa"));
}

function averagesOf(
  named: readonly NamedTask[],
  groups: readonly { group: TaskGroup | undefined; members: readonly NamedTask[] }[],
): NamedAverage[] {
  const averages = groups.flatMap(({ group, members }): NamedAverage[] =>
    group === undefined || group.average === "none"
      ? []
      : [averageOf(shortName(group.name), group.average, members)],
  );
  // As in lighteval the two are a group by their names alone.
  const arc = named.filter(({ task }) => /^lighteval:arc_(easy|challenge)$/.test(task.name));
  const known = averages.some(({ name }) => name === "arc_avg");
  return !known && new Set(arc.map(({ task }) => task)).size === 2 && arc.length === 2
    ? [...averages, averageOf("arc", "tasks", arc)]
    : averages;
}

function averageOf(
  group: string,
  average: TaskGroup["average"],
  members: readonly NamedTask[],
): NamedAverage {
  return { name: `${group}_avg`, raw: `${group}:_average:${members[0]!.shots}`, average, members };
}
