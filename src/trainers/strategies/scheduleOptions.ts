import { z } from "zod";

// Names and defaults are PyTorch's and Hugging Face's, the strings for steps Plato's. None of these files may load
// TensorFlow.js: `check` reads them too.

const epochs = z.int().nonnegative();
const EPOCHS = { unit: "epochs" };
const gamma = z.number().positive();
const factor = z.number().min(0).max(1);

/** Keys of every schedule over epochs. */
const warmUpEpochs = {
  warmup_epochs: epochs.default(0).meta({
    description:
      "Epochs in front, in which the learning rate rises in a straight line; the schedule begins after.",
    ...EPOCHS,
  }),
  warmup_start_lr: z
    .number()
    .nonnegative()
    .default(0)
    .meta({ description: "The learning rate of the first of them." }),
};

/** `[parameters.learning_rate]` of `ConstantLR`. */
export const constantOptions = z.strictObject({
  factor: factor
    .default(1)
    .meta({ description: "Multiplies the learning rate in the first `total_iters` epochs." }),
  total_iters: epochs.default(5).meta({ description: "Epochs with the factor.", ...EPOCHS }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `StepLR`. */
export const stepOptions = z.strictObject({
  step_size: z
    .int()
    .positive()
    .meta({ description: "Epochs between two steps.", ...EPOCHS }),
  gamma: gamma.default(0.1).meta({ description: "Multiplies the learning rate at each step." }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `MultiStepLR`. */
export const multiStepOptions = z
  .strictObject({
    milestones: z
      .array(epochs)
      .min(1)
      .optional()
      .meta({ description: "Epochs at which the learning rate falls.", ...EPOCHS }),
    milestone_steps: z
      .string()
      .regex(/^\s*\d+(ep)?\s*(,\s*\d+(ep)?\s*)*$/, 'expected epochs, as in "8ep,12ep"')
      .optional()
      .meta({ description: 'The same as Plato writes it: `"8ep,12ep"`.' }),
    gamma: gamma.default(0.1).meta({ description: "Multiplies the learning rate at each of them." }),
    ...warmUpEpochs,
  })
  .refine(
    ({ milestones, milestone_steps }) => (milestones === undefined) !== (milestone_steps === undefined),
    {
      message: 'needs either milestones = [8, 12] or milestone_steps = "8ep,12ep"',
      path: ["milestones"],
    },
  );

/** `[parameters.learning_rate]` of `ExponentialLR`. */
export const exponentialOptions = z.strictObject({
  gamma: gamma.meta({ description: "Multiplies the learning rate after every epoch." }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `LinearLR`. */
export const linearOptions = z.strictObject({
  start_factor: z
    .number()
    .positive()
    .max(1)
    .default(1 / 3)
    .meta({ description: "Multiplies the learning rate in the first epoch." }),
  end_factor: factor.default(1).meta({ description: "Multiplies it from epoch `total_iters` on." }),
  total_iters: z
    .int()
    .positive()
    .default(5)
    .meta({ description: "Epochs in between.", ...EPOCHS }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `PolynomialLR`. */
export const polynomialOptions = z.strictObject({
  total_iters: z
    .int()
    .positive()
    .default(5)
    .meta({ description: "Epochs until 0.", ...EPOCHS }),
  power: z.number().positive().default(1).meta({ description: "Power of the share of them that is left." }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `CosineAnnealingLR`. */
export const cosineOptions = z.strictObject({
  T_max: z
    .int()
    .positive()
    .optional()
    .meta({
      description: "Epochs until the smallest learning rate; `trainer.epochs` when absent.",
      ...EPOCHS,
    }),
  eta_min: z.number().nonnegative().default(0).meta({ description: "The smallest learning rate." }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `CosineAnnealingWarmRestarts`. */
export const warmRestartsOptions = z.strictObject({
  T_0: z
    .int()
    .positive()
    .meta({ description: "Epochs until the first restart.", ...EPOCHS }),
  T_mult: z.int().positive().default(1).meta({ description: "Each span is so many times the one before." }),
  eta_min: z.number().nonnegative().default(0).meta({ description: "The smallest learning rate." }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `CyclicLR`. */
export const cyclicOptions = z.strictObject({
  base_lr: z
    .number()
    .nonnegative()
    .meta({ description: "The lowest learning rate, in the place of the optimizer's." }),
  max_lr: z.number().positive().meta({ description: "The highest learning rate." }),
  step_size_up: z
    .int()
    .positive()
    .default(2000)
    .meta({ description: "Epochs of a rise.", ...EPOCHS }),
  step_size_down: z
    .int()
    .positive()
    .optional()
    .meta({ description: "Epochs of a fall; as many as of a rise when absent.", ...EPOCHS }),
  mode: z.enum(["triangular", "triangular2", "exp_range"]).default("triangular").meta({
    description:
      "Heights of the cycles: all alike, each half of the one before, or `gamma` to the power of the epoch.",
  }),
  gamma: gamma.default(1).meta({ description: "Of `exp_range`." }),
  cycle_momentum: z
    .boolean()
    .default(true)
    .meta({ description: "Momentum, or the first of `betas`, falls where the learning rate rises." }),
  base_momentum: z.number().min(0).lt(1).default(0.8).meta({ description: "The lowest momentum." }),
  max_momentum: z.number().min(0).lt(1).default(0.9).meta({ description: "The highest momentum." }),
  ...warmUpEpochs,
});

/** `[parameters.learning_rate]` of `ReduceLROnPlateau`. */
export const plateauOptions = z.strictObject({
  mode: z
    .enum(["min", "max"])
    .default("min")
    .meta({ description: "Whether the loss is to fall or to rise." }),
  factor: z.number().positive().lt(1).default(0.1).meta({ description: "Multiplies the learning rate." }),
  patience: epochs
    .default(10)
    .meta({ description: "Epochs without improvement that are let pass.", ...EPOCHS }),
  threshold: z.number().nonnegative().default(1e-4).meta({ description: "What counts as an improvement." }),
  threshold_mode: z
    .enum(["rel", "abs"])
    .default("rel")
    .meta({ description: "`threshold` as a share of the best loss, or as a difference from it." }),
  cooldown: epochs.default(0).meta({ description: "Epochs after a fall that are not counted.", ...EPOCHS }),
  min_lr: z.number().nonnegative().default(0).meta({ description: "The smallest learning rate." }),
  eps: z
    .number()
    .nonnegative()
    .default(1e-8)
    .meta({ description: "A fall by no more than this is not made." }),
  ...warmUpEpochs,
});

const STEPS = /^\s*(\d+ep\d+it|\d+ep|\d+it)\s*(,\s*(\d+ep\d+it|\d+ep|\d+it)\s*)*$/;
const steps = (one: string) => z.string().regex(STEPS, `expected epochs or updates, as in "${one}"`);

/** `[parameters.learning_rate]` of `LambdaLR`, as Plato has it. */
export const lambdaOptions = z
  .strictObject({
    milestone_steps: steps("120ep,160ep").optional().meta({
      description: 'Where the learning rate falls: epochs, updates or both, `"120ep,2000it,200ep10it"`.',
    }),
    gamma: gamma.optional().meta({ description: "Multiplies the learning rate at each of them." }),
    warmup_steps: steps("1ep")
      .refine((text) => !text.includes(","), "expected one number of epochs or updates")
      .optional()
      .meta({ description: 'How long the learning rate rises from 0: `"1ep"`, `"200it"`.' }),
  })
  .refine(({ milestone_steps, gamma: by }) => (milestone_steps === undefined) === (by === undefined), {
    message: "needs both milestone_steps and gamma, or neither",
    path: ["milestone_steps"],
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

export type ConstantOptions = Pick<z.output<typeof constantOptions>, "factor" | "total_iters">;
export type StepOptions = Pick<z.output<typeof stepOptions>, "step_size" | "gamma">;
export type CosineOptions = Pick<z.output<typeof cosineOptions>, "T_max" | "eta_min">;
export type MultiStepOptions = z.output<typeof multiStepOptions>;
export type ExponentialOptions = z.output<typeof exponentialOptions>;
export type LinearOptions = z.output<typeof linearOptions>;
export type PolynomialOptions = z.output<typeof polynomialOptions>;
export type WarmRestartsOptions = z.output<typeof warmRestartsOptions>;
export type CyclicOptions = z.output<typeof cyclicOptions>;
export type PlateauOptions = z.output<typeof plateauOptions>;
export type LambdaOptions = z.output<typeof lambdaOptions>;
export type WarmUpOptions = z.output<typeof warmUpOptions>;
export type CosineDecayOptions = z.output<typeof cosineDecayOptions>;
