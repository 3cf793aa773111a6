import { z } from "zod";

/** Learning rate of every optimizer. */
const learningRate = z.number().positive();
const weightDecay = z.number().nonnegative();
/** Decay rates of the means of gradients and of their squares, each from 0 up to below 1. */
const betas = z.tuple([z.number().min(0).lt(1), z.number().min(0).lt(1)]).default([0.9, 0.999]);
/** Added to the root of the mean square. */
const epsilon = z.number().nonnegative().default(1e-8);

/** `[parameters.optimizer]` of `SGD`, with PyTorch's names and defaults. */
export const sgdOptions = z
  .strictObject({
    lr: learningRate.default(1e-3),
    momentum: z.number().nonnegative().default(0),
    /** Share of the gradient kept out of the momentum. */
    dampening: z.number().default(0),
    weight_decay: weightDecay.default(0),
    nesterov: z.boolean().default(false),
  })
  .refine(({ nesterov, momentum, dampening }) => !nesterov || (momentum > 0 && dampening === 0), {
    message: "needs momentum above 0 and no dampening",
    path: ["nesterov"],
  });

/** `[parameters.optimizer]` of `Adam`, with PyTorch's names and defaults. */
export const adamOptions = z.strictObject({
  lr: learningRate.default(1e-3),
  betas,
  eps: epsilon,
  /** Added to the gradient as weight times this. */
  weight_decay: weightDecay.default(0),
});

/** `[parameters.optimizer]` of `AdamW`, with PyTorch's names and defaults. */
export const adamWOptions = z.strictObject({
  lr: learningRate.default(1e-3),
  betas,
  eps: epsilon,
  /** Shrinks the weights themselves, apart from the gradient. */
  weight_decay: weightDecay.default(1e-2),
});

/** `[parameters.learning_rate]` of `ConstantLR`. */
export const constantOptions = z.strictObject({
  /** Multiplies the learning rate in the first `total_iters` epochs. */
  factor: z.number().min(0).max(1).default(1),
  total_iters: z.int().nonnegative().default(5),
});

/** `[parameters.learning_rate]` of `StepLR`. */
export const stepOptions = z.strictObject({
  /** Epochs between two steps. */
  step_size: z.int().positive(),
  /** Multiplies the learning rate at each step. */
  gamma: z.number().positive().default(0.1),
});

/** `[parameters.learning_rate]` of `CosineAnnealingLR`. */
export const cosineOptions = z.strictObject({
  /** Epochs until the smallest learning rate; by default `trainer.epochs`. */
  T_max: z.int().positive().optional(),
  /** The smallest learning rate. */
  eta_min: z.number().nonnegative().default(0),
});

/** `[parameters.loss_criterion]` of `CrossEntropyLoss`. */
export const crossEntropyOptions = z.strictObject({
  /** Share of the target that is spread evenly over all classes. */
  label_smoothing: z.number().min(0).max(1).default(0),
});

/** `[parameters.loss_criterion]` of `MSELoss`: none. */
export const meanSquaredErrorOptions = z.strictObject({});

export type SgdOptions = z.output<typeof sgdOptions>;
export type AdamOptions = z.output<typeof adamOptions>;
export type ConstantOptions = z.output<typeof constantOptions>;
export type StepOptions = z.output<typeof stepOptions>;
export type CosineOptions = z.output<typeof cosineOptions>;
export type CrossEntropyOptions = z.output<typeof crossEntropyOptions>;
