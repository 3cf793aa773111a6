import { type Registry, sharedRegistry } from "../base/index.js";
import { coreTask } from "./core/coreTask.js";
import { coreTasks } from "./core/coreTasks.js";
import { choiceTasks } from "./harness/choiceTasks.js";
import { harnessTask } from "./harness/harnessTask.js";
import { metaTasks } from "./harness/metaTasks.js";
import { mmluTasks } from "./harness/mmluTasks.js";
import { oldHarnessTask } from "./harness/oldHarnessTask.js";
import { oldTasks } from "./harness/oldTasks.js";
import { textTasks } from "./harness/textTasks.js";
import { lightevalTask } from "./lighteval/lightevalTask.js";
import { lightevalTasks } from "./lighteval/lightevalTasks.js";
import type { Task } from "./task.js";

/** Tasks by their names with dialect, the user's own included. */
export const tasks: Registry<Task> = sharedRegistry<Task>("task", (registry) => {
  const add = (task: Task) => registry.register(task.name, task, { description: task.description });
  for (const spec of lightevalTasks) add(lightevalTask(spec));
  for (const spec of [...choiceTasks, ...mmluTasks, ...textTasks, ...metaTasks]) add(harnessTask(spec));
  for (const spec of oldTasks) add(oldHarnessTask(spec));
  for (const spec of coreTasks) add(coreTask(spec));
});

/**
 * Registers a task under its own name.
 * @throws NAME_TAKEN without `replace`
 */
export function registerTask(task: Task, options: { replace?: boolean } = {}): void {
  tasks.register(task.name, task, { ...options, description: task.description });
}
