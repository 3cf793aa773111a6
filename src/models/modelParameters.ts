import { z } from "zod";

/** `[parameters.model]` of `lenet5`. */
export const lenet5Parameters = z.strictObject({
  /** Outputs; by default the classes of the data, at least as many. */
  num_classes: z.int().positive().optional(),
});

/** `[parameters.model]` of `multilayer`. */
export const multilayerParameters = z.strictObject({
  /** Units of each hidden layer, from the input on; empty for a linear model. */
  hidden_sizes: z.array(z.int().positive()).max(32).default([128]),
  /** Outputs; by default the classes of the data (one for regression), at least as many. */
  num_classes: z.int().positive().optional(),
});
