import type { TableRow } from "../data/index.js";
import type { HarnessSpec } from "./harness/harnessSpec.js";
import { harnessTask } from "./harness/harnessTask.js";
import type { Task } from "./task.js";

/** A user's own task. */
export interface TaskDefinition extends Omit<HarnessSpec, "repositories"> {
  /** A data set on a hub, or a folder. */
  readonly dataset?: string;
  /** Rows by split, instead of a data set. */
  readonly rows?: Readonly<Record<string, readonly TableRow[]>>;
}

/**
 * Makes a task of what is asked of a row. Prompts and examples are put together as in EleutherAI's harness:
 * documents in the order of the data, examples drawn anew for each. `registerTask` gives it its name.
 * @throws DATA_INVALID for a definition without a split to evaluate
 */
export function defineTask({ dataset, rows, ...spec }: TaskDefinition): Task {
  const task = harnessTask({ ...spec, repositories: dataset === undefined ? [] : [dataset] });
  const find = (split: string) =>
    rows !== undefined && Object.hasOwn(rows, split) ? rows[split] : undefined;
  return {
    ...task,
    name: spec.name,
    dialect: "",
    data: { ...task.data, ...(rows !== undefined && { rows: find }) },
  };
}
