import { z } from "zod";

// Names and defaults are PyTorch's. None of these files may load TensorFlow.js: `check` reads them too.

const learningRate = z.number().positive().default(1e-3).meta({ description: "Learning rate." });
const betas = z
  .tuple([z.number().min(0).lt(1), z.number().min(0).lt(1)])
  .default([0.9, 0.999])
  .meta({ description: "Decay of the running means of the gradient and of its square." });
const epsilon = z
  .number()
  .nonnegative()
  .default(1e-8)
  .meta({ description: "Added to the root of the mean square." });

/** `[parameters.optimizer]` of `SGD`. */
export const sgdOptions = z
  .strictObject({
    lr: learningRate,
    momentum: z
      .number()
      .nonnegative()
      .default(0)
      .meta({ description: "Share of the last direction that is kept." }),
    dampening: z.number().default(0).meta({ description: "Share of the gradient kept out of the momentum." }),
    weight_decay: weightDecay(0, "Adds so much of the weight to its gradient."),
    nesterov: z.boolean().default(false).meta({ description: "Nesterov momentum." }),
  })
  .refine(({ nesterov, momentum, dampening }) => !nesterov || (momentum > 0 && dampening === 0), {
    message: "needs momentum above 0 and no dampening",
    path: ["nesterov"],
  });

/** `[parameters.optimizer]` of `Adam`. */
export const adamOptions = z.strictObject({
  lr: learningRate,
  betas,
  eps: epsilon,
  weight_decay: weightDecay(0, "Adds so much of the weight to its gradient."),
});

/** `[parameters.optimizer]` of `AdamW`. */
export const adamWOptions = z.strictObject({
  lr: learningRate,
  betas,
  eps: epsilon,
  weight_decay: weightDecay(1e-2, "Shrinks the weight by so much times the learning rate."),
});

/** `[parameters.learning_rate]` of `ConstantLR`. */
export const constantOptions = z.strictObject({
  factor: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: "Multiplies the learning rate in the first `total_iters` epochs." }),
  total_iters: z
    .int()
    .nonnegative()
    .default(5)
    .meta({ description: "Epochs with the factor.", unit: "epochs" }),
});

/** `[parameters.learning_rate]` of `StepLR`. */
export const stepOptions = z.strictObject({
  step_size: z.int().positive().meta({ description: "Epochs between two steps.", unit: "epochs" }),
  gamma: z
    .number()
    .positive()
    .default(0.1)
    .meta({ description: "Multiplies the learning rate at each step." }),
});

/** `[parameters.learning_rate]` of `CosineAnnealingLR`. */
export const cosineOptions = z.strictObject({
  T_max: z.int().positive().optional().meta({
    description: "Epochs until the smallest learning rate; `trainer.epochs` when absent.",
    unit: "epochs",
  }),
  eta_min: z.number().nonnegative().default(0).meta({ description: "The smallest learning rate." }),
});

const warmUp = {
  warmup_steps: z.number().int().nonnegative().default(0).meta({
    description: "Updates in which the learning rate rises from 0.",
    unit: "updates",
  }),
  warmup_ratio: z.number().min(0).max(1).default(0).meta({
    description: "The same as a share of all updates, rounded up; without effect beside `warmup_steps`.",
  }),
};

/** `[parameters.learning_rate]` of `constant`: none. */
export const levelOptions = z.strictObject({});

/** `[parameters.learning_rate]` of `constant_with_warmup` and `linear`. */
export const warmUpOptions = z.strictObject(warmUp);

/** `[parameters.learning_rate]` of `cosine`. */
export const cosineDecayOptions = z.strictObject({
  ...warmUp,
  num_cycles: z.number().positive().default(0.5).meta({
    description: "Waves of the cosine; half a one leads straight down.",
  }),
  min_lr_rate: z.number().min(0).max(1).default(0).meta({
    description: "Share of the learning rate that is left at the lowest point.",
  }),
});

/** `[parameters.loss_criterion]` of `CrossEntropyLoss`. */
export const crossEntropyOptions = z.strictObject({
  label_smoothing: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({ description: "Share of the target that is spread evenly over all classes." }),
});

/** `[parameters.loss_criterion]` of `MSELoss`: none. */
export const meanSquaredErrorOptions = z.strictObject({});

export type SgdOptions = z.output<typeof sgdOptions>;
export type AdamOptions = z.output<typeof adamOptions>;
export type ConstantOptions = z.output<typeof constantOptions>;
export type StepOptions = z.output<typeof stepOptions>;
export type CosineOptions = z.output<typeof cosineOptions>;
export type WarmUpOptions = z.output<typeof warmUpOptions>;
export type CosineDecayOptions = z.output<typeof cosineDecayOptions>;
export type CrossEntropyOptions = z.output<typeof crossEntropyOptions>;

function weightDecay(byDefault: number, description: string) {
  return z.number().nonnegative().default(byDefault).meta({ description });
}
