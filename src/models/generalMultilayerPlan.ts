import { ElenchusError } from "../base/index.js";
import type { BatchNormSettings } from "./layeredModel.js";
import type { ModelRequest } from "./model.js";
import type { ActivationName, GeneralMultilayerParameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";

/** One dense layer and what follows it. */
export interface DenseLayerPlan {
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  readonly norm: BatchNormSettings | null;
  readonly activation: ActivationName | null;
  /** Share that is left out in training. */
  readonly dropout: number;
  readonly last: boolean;
}

/** Plato's ready-made ones that stand on their own, by `trainer.model_name`. */
const NAMED: Readonly<Record<string, Partial<GeneralMultilayerParameters>>> = {
  linear_mlp: { hidden_layers_dim: [] },
  plato_multilayer: {
    hidden_layers_dim: [1024, 512, 256, 128],
    activations: ["tanh", "tanh", "tanh", "tanh", null],
  },
};

/**
 * The layers that `[parameters.model]` asks for.
 * @throws CONFIG_INVALID for lists of another length than there are layers, and for an `input_dim` that is not the data's
 */
export function planLayers(
  options: GeneralMultilayerParameters,
  { inputShape, classes, modelName = "" }: Pick<ModelRequest, "inputShape" | "classes" | "modelName">,
): DenseLayerPlan[] {
  const named = Object.hasOwn(NAMED, modelName) ? NAMED[modelName] : undefined;
  const given = { ...options, ...named };
  const width = inputShape.reduce((product, size) => product * size, 1);
  if (given.input_dim !== undefined && given.input_dim !== width) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `parameters.model.input_dim = ${given.input_dim}, but an input of the data has ${width} numbers. Set it to that, or leave it out.`,
    );
  }
  const outputs = outputCount(classes, given.output_dim ?? given.num_classes);
  const sizes = [width, ...given.hidden_layers_dim, outputs];
  const count = sizes.length - 1;
  const usual = Array.from({ length: count }, (_, layer) => (layer < count - 1 ? "relu" : null));
  const activations = listed("activations", given.activations ?? (usual as (ActivationName | null)[]), count);
  const norms = listed("batch_norms", given.batch_norms ?? new Array(count).fill(null), count);
  const ratios = given.dropout_ratios;
  const dropouts = listed(
    "dropout_ratios",
    typeof ratios === "number" ? usual.map((_, layer) => (layer < count - 1 ? ratios : 0)) : ratios,
    count,
  );
  return activations.map((activation, layer) => ({
    name: `layer${layer + 1}`,
    inputs: sizes[layer]!,
    outputs: sizes[layer + 1]!,
    norm: norms[layer] ?? null,
    activation,
    dropout: dropouts[layer]!,
    last: layer === count - 1,
  }));
}

function listed<T>(key: string, values: readonly T[], count: number): readonly T[] {
  if (values.length === count) return values;
  throw new ElenchusError(
    "CONFIG_INVALID",
    `parameters.model.${key} has ${values.length} entries, but there are ${count} layers: one for each of hidden_layers_dim and one for the outputs. Give as many.`,
  );
}
