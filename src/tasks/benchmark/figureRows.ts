import { z } from "zod";
import type { RowWork } from "../../base/index.js";
import { tasks } from "../registry.js";
import { metricsOf, type TaskSample } from "./taskScorer.js";

/** In a thread: the samples of a whole task come in, and its figures come out. @throws NAME_UNKNOWN */
export function makeRowWork(name: unknown): RowWork {
  const task = tasks.lookup(z.string().parse(name));
  return (samples) => metricsOf(task, samples as readonly TaskSample[]);
}
