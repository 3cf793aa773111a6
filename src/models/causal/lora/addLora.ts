import { ElenchusError, nearest, parseOptions, type Random } from "../../../base/index.js";
import { loraSchema } from "../../../config/index.js";
import { drawnValues, type Initialiser } from "../../initialValues.js";
import type { InitialVariable } from "../../variableModel.js";
import type { VariableCausalModel } from "../variableCausalModel.js";
import { adapterNames } from "./adapter.js";
import { loraTargets } from "./loraTargets.js";

/** The table as a user knows it. */
const WHERE = "[parameters.lora]";

/**
 * Gives a model low-rank adapters. A is drawn, B is zero: at first the model computes what it did before.
 * @param table `[parameters.lora]`
 * @throws CONFIG_INVALID for a fault in the table, and for a target that is no linear layer of the model
 */
export function addLora(
  model: VariableCausalModel,
  table: Readonly<Record<string, unknown>>,
  random: Random,
): void {
  const options = parseOptions(loraSchema, table, WHERE);
  const layers = model.linearLayers();
  const { unmatched, ...lora } = loraTargets(options, layers, String(model.config.model_type));
  if (unmatched.length > 0 || lora.adapters.size === 0) {
    throw noTarget(model.name, unmatched, [...layers.keys()]);
  }
  const make = drawnValues(random);
  const initial = new Map<string, InitialVariable>();
  for (const [layer, { rank }] of lora.adapters) {
    const { inputs, outputs } = layers.get(layer)!;
    const [a, b] = adapterNames(layer);
    initial.set(
      a,
      FIRST_A[options.init_lora_weights === "gaussian" ? "gaussian" : "uniform"](make, rank, inputs),
    );
    initial.set(b, make.constant([outputs, rank], 0));
  }
  model.addAdapters(lora, initial);
}

/** peft's `kaiming_uniform_(a = sqrt(5))` is uniform within sqrt(6 / ((1 + 5) inputs)). */
const FIRST_A = {
  uniform: (make: Initialiser, rank: number, inputs: number) =>
    make.uniform([rank, inputs], 1 / Math.sqrt(inputs)),
  gaussian: (make: Initialiser, rank: number, inputs: number) => make.normal([rank, inputs], 1 / rank),
};

function noTarget(model: string, unmatched: readonly string[], layers: readonly string[]): ElenchusError {
  const short = [...new Set(layers.map((layer) => layer.split(".").at(-1)!))];
  const found =
    unmatched.length === 0
      ? "everything is excluded"
      : `found ${unmatched.map((name) => JSON.stringify(name)).join(", ")}`;
  const meant = unmatched.map((name) => nearest(name, [...short, ...layers])).find(Boolean);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return new ElenchusError(
    "CONFIG_INVALID",
    `${WHERE}: target_modules fits no linear layer of ${model}: ${found}; expected names that end in ${short.join(", ")}, such as ${layers[0]}, or "all-linear".${hint}`,
    { details: { model, unmatched } },
  );
}
