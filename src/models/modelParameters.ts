import { z } from "zod";
import { initialisation } from "./initialisation.js";

/** `[parameters.model]` of `lenet5`. */
export const lenet5Parameters = z.strictObject({
  num_classes: outputs(),
  batch_norm: z.boolean().default(false).meta({
    description:
      "Whether batch normalisation stands before every ReLU, behind the pooling where there is one.",
  }),
  initialization: initialisation("he_glorot"),
});

/** `[parameters.model]` of `multilayer`. */
export const multilayerParameters = z.strictObject({
  hidden_sizes: z
    .array(z.int().positive())
    .max(32)
    .default([128])
    .meta({ description: "Units of each hidden layer, from the input on; empty for a linear model." }),
  num_classes: outputs(),
  initialization: initialisation("he_glorot"),
});

/** `[parameters.model]` of `resnet_18` and `resnet_34`. */
export const resnetParameters = z.strictObject({
  num_classes: outputs(),
  width: width(),
  stem: z.enum(["cifar", "imagenet"]).default("cifar").meta({
    description:
      "First layer: a 3x3 convolution at full size, or 7x7 and max pooling, which leave a quarter.",
  }),
  initialization: initialisation("torchvision"),
});

/** `[parameters.model]` of `vgg_11`, `vgg_13`, `vgg_16` and `vgg_19`. */
export const vggParameters = z.strictObject({
  num_classes: outputs(),
  width: width(),
  initialization: initialisation("torchvision"),
});

/** Activations of `general_multilayer`. */
const activation = z.enum(["relu", "sigmoid", "tanh", "softmax", "log_softmax"]);

export type ActivationName = z.output<typeof activation>;

const batchNorm = z.strictObject({
  momentum: z.number().min(0).max(1).default(0.1),
  eps: z.number().positive().default(1e-5),
});
const ratio = z.number().min(0).lt(1);

/** `[parameters.model]` of `general_multilayer`: Plato's keys, and `num_classes` for `output_dim`. */
export const generalMultilayerParameters = z.strictObject({
  input_dim: z.int().positive().optional().meta({
    description: "Numbers of one input. Those of the data when absent, else no others.",
  }),
  hidden_layers_dim: z
    .array(z.int().positive())
    .max(32)
    .default([])
    .meta({ description: "Units of each hidden layer, from the input on." }),
  output_dim: outputs(),
  num_classes: outputs(),
  batch_norms: z.array(batchNorm.nullable()).optional().meta({
    description:
      "Batch normalisation behind each layer, the last one too: a table with `momentum` (0.1) and `eps` (1e-5), or none. None anywhere when absent.",
  }),
  activations: z.array(activation.nullable()).optional().meta({
    description:
      "Activation of each layer, the last one too: relu, sigmoid, tanh, softmax, log_softmax, or none. ReLU on all but the last when absent.",
  }),
  dropout_ratios: z
    .union([ratio, z.array(ratio)])
    .default(0)
    .meta({
      description: "Share of each layer's units left out in training; one number is for all but the last.",
    }),
  initialization: initialisation("torch"),
});

export type GeneralMultilayerParameters = z.output<typeof generalMultilayerParameters>;

function outputs() {
  return z.int().positive().optional().meta({
    description: "Outputs. The classes of the data (one for regression) when absent, else no fewer.",
  });
}

function width() {
  return z.int().positive().default(64).meta({
    description: "Maps of the first layers; of the last there are eight times as many.",
  });
}
