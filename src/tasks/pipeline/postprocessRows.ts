import { z } from "zod";
import type { RowWork } from "../../base/index.js";
import { TaskProcessor } from "../benchmark/taskProcessor.js";
import type { BaseGeneratorProcessor } from "../processors/baseProcessor.js";
import { createProcessor, processors } from "../processors/processors.js";
import { benchmarkTask } from "./evalTaskNames.js";

const specSchema = z.object({ name: z.string(), params: z.unknown() });

/** In a thread: answers and their rows come in, and what scorers see comes out. @throws NAME_UNKNOWN, CONFIG_INVALID */
export function makeRowWork(given: unknown): RowWork {
  const { name, params } = specSchema.parse(given);
  const processor = (
    processors.has(name) ? createProcessor(name, params) : new TaskProcessor(benchmarkTask(name).task)
  ) as BaseGeneratorProcessor<unknown, unknown, unknown, unknown>;
  return (row, index) => {
    const { gen, sample } = row as { gen: unknown; sample: unknown };
    return processor.postprocessSample(gen, sample, index);
  };
}
