import { z } from "zod";

/** `[parameters]`: free tables handed to what they are named for. */
export const parametersSchema = z.strictObject({
  model: options("Options of the model, `trainer.model_name`."),
  optimizer: options("Options of the optimizer: `lr`, `momentum`, `weight_decay`..."),
  learning_rate: options("Options of the schedule, `trainer.lr_scheduler`."),
  loss_criterion: options("Options of the loss, `trainer.loss_criterion`."),
});

function options(description: string) {
  return z.record(z.string(), z.unknown()).default({}).meta({ description });
}
