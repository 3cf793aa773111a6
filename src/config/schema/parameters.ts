import { z } from "zod";

/** `[parameters]`: free tables handed to what they are named for. */
export const parametersSchema = z.strictObject({
  model: options("Options of the model, `trainer.model_name`."),
  optimizer: options("Options of the optimizer: `lr`, `momentum`, `weight_decay`..."),
  learning_rate: options("Options of the schedule, `trainer.lr_scheduler`."),
  loss_criterion: options("Options of the loss, `trainer.loss_criterion`."),
  processors: z.record(z.string(), z.record(z.string(), z.unknown())).default({}).meta({
    description: "Options of payload processors, a table for each: `[parameters.processors.top_k]`.",
  }),
  lora: z.record(z.string(), z.unknown()).optional().meta({
    description: "Adapters of a language model, which then train and travel alone: see below.",
  }),
});

function options(description: string) {
  return z.record(z.string(), z.unknown()).default({}).meta({ description });
}
