import type { Random } from "../../../base/index.js";
import { drawnValues, type Initialiser } from "../../initialValues.js";
import type { InitialVariable } from "../../variableModel.js";
import type { VariableCausalModel } from "../variableCausalModel.js";
import { adapterNames } from "./adapterNames.js";
import { chosenAdapters } from "./chosenAdapters.js";

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
  const layers = model.linearLayers();
  const lora = chosenAdapters(table, { model: model.name, family: String(model.config.model_type), layers });
  const make = drawnValues(random);
  const initial = new Map<string, InitialVariable>();
  for (const [layer, { rank }] of lora.adapters) {
    const { inputs, outputs } = layers.get(layer)!;
    const [a, b] = adapterNames(layer);
    initial.set(
      a,
      FIRST_A[lora.options.init_lora_weights === "gaussian" ? "gaussian" : "uniform"](make, rank, inputs),
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
