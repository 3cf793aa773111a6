import type { z } from "zod";
import { parseOptions, type Registry, sharedRegistry } from "../../base/index.js";
import type { BaseGeneratorProcessor } from "./baseProcessor.js";
import { chatProcessor } from "./chatProcessor.js";
import { judgeProcessor } from "./judgeProcessor.js";
import { mmluProcessor } from "./mmluProcessor.js";
import { templateProcessor } from "./templateProcessor.js";

/** A processor as it is registered. */
export interface ProcessorEntry<Schema extends z.ZodType = z.ZodType> {
  /** Params that it takes. */
  readonly params: Schema;
  create(params: z.output<Schema>): BaseGeneratorProcessor;
}

/** The processors of this process, by name. */
export const processors: Registry<ProcessorEntry> = sharedRegistry<ProcessorEntry>(
  "processor",
  (registry) => {
    const add = (name: string, description: string, entry: ProcessorEntry) =>
      registry.register(name, entry, { description });
    add(
      "chat",
      "Rows that hold their own questions: messages, a prompt, or a question with its answer",
      chatProcessor,
    );
    add("judge", "Answers to be rated from 0 to 5 against what is expected", judgeProcessor);
    add(
      "mmlu",
      "Multiple choice from columns Question, A, B, C, D, Answer; the letter is read out",
      mmluProcessor,
    );
    add("template", "Questions by a template with {{column}} slots", templateProcessor);
  },
);

/**
 * Makes a processor.
 * @throws NAME_UNKNOWN; CONFIG_INVALID for params that it does not take
 */
export function createProcessor(name: string, params: unknown = {}): BaseGeneratorProcessor {
  const entry = processors.lookup(name);
  return entry.create(parseOptions(entry.params, params, `params of the processor ${name}`));
}
