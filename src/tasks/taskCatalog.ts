import { taskGroups } from "./groups.js";
import { tasks } from "./registry.js";

/** All tasks and groups of tasks by name, for lists. */
export function taskCatalog(): { name: string; description: string }[] {
  const groups = [...taskGroups.values()].map(({ name, description }) => ({ name, description }));
  return [...tasks.list(), ...groups].sort((one, other) => (one.name < other.name ? -1 : 1));
}
