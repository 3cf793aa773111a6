import { letterTasks } from "./letterTasks.js";
import type { LightevalSpec } from "./lightevalSpec.js";
import { likelihoodTasks } from "./likelihoodTasks.js";
import { writtenTasks } from "./writtenTasks.js";

/** The tasks of lighteval. */
export const lightevalTasks: readonly LightevalSpec[] = [...letterTasks, ...likelihoodTasks, ...writtenTasks];
