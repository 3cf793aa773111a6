import { z } from "zod";

// Names and defaults are PyTorch's. None of these files may load TensorFlow.js: `check` reads them too.

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

/** `[parameters.loss_criterion]` of `BCEWithLogitsLoss`. */
export const binaryCrossEntropyOptions = z.strictObject({
  pos_weight: z
    .union([z.number().positive(), z.array(z.number().positive()).min(1)])
    .default(1)
    .meta({ description: "How much a positive target counts; a number for each output, or one for all." }),
});

/** `[parameters.loss_criterion]` of `NLLLoss`. */
export const negativeLogLikelihoodOptions = z.strictObject({
  weight: z
    .array(z.number().nonnegative())
    .min(1)
    .optional()
    .meta({ description: "How much each class counts; all alike when absent." }),
});

/** `[parameters.loss_criterion]` of `L2Regularization`. */
export const l2Options = z.strictObject({
  weight: z
    .number()
    .nonnegative()
    .default(0.01)
    .meta({ description: "Multiplies the sum of the squares of all trained weights." }),
});

export type CrossEntropyOptions = z.output<typeof crossEntropyOptions>;
export type BinaryCrossEntropyOptions = z.output<typeof binaryCrossEntropyOptions>;
export type NegativeLogLikelihoodOptions = z.output<typeof negativeLogLikelihoodOptions>;
export type L2Options = z.output<typeof l2Options>;
