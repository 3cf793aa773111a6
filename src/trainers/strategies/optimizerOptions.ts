import { z } from "zod";

// Names and defaults are PyTorch's. None of these files may load TensorFlow.js: `check` reads them too.

const learningRate = (byDefault: number) =>
  z.number().positive().default(byDefault).meta({ description: "Learning rate." });
const share = z.number().min(0).lt(1);
const betas = z
  .tuple([share, share])
  .default([0.9, 0.999])
  .meta({ description: "Decay of the running means of the gradient and of its square." });
const epsilon = (byDefault: number, description = "Added to the root of the mean square.") =>
  z.number().nonnegative().default(byDefault).meta({ description });
const weightDecay = (byDefault: number, description = "Adds so much of the weight to its gradient.") =>
  z.number().nonnegative().default(byDefault).meta({ description });
const momentum = z
  .number()
  .nonnegative()
  .default(0)
  .meta({ description: "Share of the last direction that is kept." });
const decoupled = z
  .boolean()
  .default(false)
  .meta({ description: "`weight_decay` shrinks the weight as AdamW's does, apart from the gradient." });

/** `[parameters.optimizer]` of `SGD`. */
export const sgdOptions = z
  .strictObject({
    lr: learningRate(1e-3),
    momentum,
    dampening: z.number().default(0).meta({ description: "Share of the gradient kept out of the momentum." }),
    weight_decay: weightDecay(0),
    nesterov: z.boolean().default(false).meta({ description: "Nesterov momentum." }),
  })
  .refine(({ nesterov, momentum, dampening }) => !nesterov || (momentum > 0 && dampening === 0), {
    message: "needs momentum above 0 and no dampening",
    path: ["nesterov"],
  });

/** `[parameters.optimizer]` of `Adam`. */
export const adamOptions = z.strictObject({
  lr: learningRate(1e-3),
  betas,
  eps: epsilon(1e-8),
  weight_decay: weightDecay(0),
});

/** `[parameters.optimizer]` of `AdamW`. */
export const adamWOptions = z.strictObject({
  lr: learningRate(1e-3),
  betas,
  eps: epsilon(1e-8),
  weight_decay: weightDecay(1e-2, "Shrinks the weight by so much times the learning rate."),
});

/** `[parameters.optimizer]` of `RMSprop`. */
export const rmsPropOptions = z.strictObject({
  lr: learningRate(1e-2),
  alpha: share.default(0.99).meta({ description: "Decay of the running mean of the squared gradient." }),
  eps: epsilon(1e-8),
  weight_decay: weightDecay(0),
  momentum,
  centered: z
    .boolean()
    .default(false)
    .meta({ description: "Divides by the deviation of the gradient, not by the root of its mean square." }),
});

/** `[parameters.optimizer]` of `Adagrad`. */
export const adagradOptions = z.strictObject({
  lr: learningRate(1e-2),
  lr_decay: z
    .number()
    .nonnegative()
    .default(0)
    .meta({ description: "The learning rate is divided by 1 + this times the steps made before." }),
  weight_decay: weightDecay(0),
  initial_accumulator_value: z
    .number()
    .nonnegative()
    .default(0)
    .meta({ description: "What the sum of squares begins with." }),
  eps: epsilon(1e-10, "Added to the root of the sum of squares."),
});

/** `[parameters.optimizer]` of `Adadelta`. */
export const adadeltaOptions = z.strictObject({
  lr: learningRate(1),
  rho: share.default(0.9).meta({ description: "Decay of the running mean squares of gradient and change." }),
  eps: epsilon(1e-6, "Added to both mean squares before their roots are taken."),
  weight_decay: weightDecay(0),
});

/** `[parameters.optimizer]` of `NAdam`. */
export const nAdamOptions = z.strictObject({
  lr: learningRate(2e-3),
  betas,
  eps: epsilon(1e-8),
  weight_decay: weightDecay(0),
  momentum_decay: z
    .number()
    .nonnegative()
    .default(4e-3)
    .meta({ description: "How fast the momentum grows from half of its decay to the whole." }),
  decoupled_weight_decay: decoupled,
});

/** `[parameters.optimizer]` of `RAdam`. */
export const rAdamOptions = z.strictObject({
  lr: learningRate(1e-3),
  betas,
  eps: epsilon(1e-8),
  weight_decay: weightDecay(0),
  decoupled_weight_decay: decoupled,
});

export type SgdOptions = z.output<typeof sgdOptions>;
export type AdamOptions = z.output<typeof adamOptions>;
export type RmsPropOptions = z.output<typeof rmsPropOptions>;
export type AdagradOptions = z.output<typeof adagradOptions>;
export type AdadeltaOptions = z.output<typeof adadeltaOptions>;
export type NAdamOptions = z.output<typeof nAdamOptions>;
export type RAdamOptions = z.output<typeof rAdamOptions>;
