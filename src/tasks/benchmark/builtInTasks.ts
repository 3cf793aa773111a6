import { tasks } from "../registry.js";
import type { Task } from "../task.js";

/** The tasks that came with the program, which every thread has under their names. */
export const builtInTasks: ReadonlySet<Task> = new Set(
  tasks.registeredNames().map((name) => tasks.lookup(name)),
);
