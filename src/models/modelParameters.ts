import { z } from "zod";

/** `[parameters.model]` of `lenet5`. */
export const lenet5Parameters = z.strictObject({ num_classes: outputs() });

/** `[parameters.model]` of `multilayer`. */
export const multilayerParameters = z.strictObject({
  hidden_sizes: z
    .array(z.int().positive())
    .max(32)
    .default([128])
    .meta({ description: "Units of each hidden layer, from the input on; empty for a linear model." }),
  num_classes: outputs(),
});

function outputs() {
  return z.int().positive().optional().meta({
    description: "Outputs. The classes of the data (one for regression) when absent, else no fewer.",
  });
}
