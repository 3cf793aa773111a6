import { join } from "node:path";
import { ElenchusError, inShort, writeAtomic } from "../../base/index.js";
import { readSafetensors, type WeightArray, writeSafetensors } from "../../weights/index.js";
import { adapterNames } from "../causal/lora/adapterNames.js";
import { loraTargets } from "../causal/lora/loraTargets.js";
import type { VariableCausalModel } from "../causal/variableCausalModel.js";
import type { CausalModel } from "../causalModel.js";
import { restrictTraining } from "../trainable.js";
import { type InitialVariable, readVariable } from "../variableModel.js";
import { readAdapterConfig, writtenAdapterConfig } from "./adapterConfig.js";
import { readJson } from "./readJson.js";

const CONFIG = "adapter_config.json";
const WEIGHTS = "adapter_model.safetensors";
/** What peft puts in front of the names of the model it wraps. */
const PREFIX = "base_model.model.";

/**
 * Writes a model's adapters as peft does, `adapter_config.json` and `adapter_model.safetensors`, in a folder that
 * exists. The base is named, not written.
 * @param base name of the base, as peft is to find it; the model's name when absent
 * @throws CAPABILITY_MISSING for a model without adapters, or one that trains other weights beside them
 */
export async function saveAdapter(model: CausalModel, folder: string, base = model.name): Promise<void> {
  const { lora } = model as Partial<VariableCausalModel>;
  if (lora === undefined) throw notSaved(model, "it has none");
  const own = model as VariableCausalModel;
  const arrays = new Map<string, WeightArray>();
  const names = [...lora.adapters.keys()].flatMap(adapterNames);
  const weights = own.allWeights();
  for (const name of names) {
    const weight = weights.get(name)!;
    arrays.set(`${PREFIX}${name}`, { dtype: "float32", shape: weight.shape, data: readVariable(weight) });
  }
  const others = [...model.variables.keys()].filter((name) => !names.includes(name));
  if (others.length > 0) {
    throw notSaved(
      model,
      `it trains ${others.slice(0, 3).join(", ")} too; savePretrained writes the merged model`,
    );
  }
  await writeSafetensors(join(folder, WEIGHTS), { arrays, metadata: new Map([["format", "pt"]]) });
  await writeAtomic(
    join(folder, CONFIG),
    `${JSON.stringify(writtenAdapterConfig(lora.options, base), null, 2)}\n`,
  );
}

/**
 * Gives a model the adapters that peft, or `saveAdapter`, has written, and freezes everything else.
 * @throws INPUT_UNREADABLE without a readable `adapter_config.json`; CONFIG_INVALID for a field that changes the
 *   output and is not supported; CHECKPOINT_INVALID for a file that is missing or torn; WEIGHTS_INVALID when arrays
 *   are missing, unknown or of another shape
 */
export async function loadAdapter(model: CausalModel, folder: string): Promise<void> {
  const path = join(folder, CONFIG);
  const options = readAdapterConfig(await readJson(path, "an adapter as peft saves it"), path);
  const { arrays } = await readSafetensors(join(folder, WEIGHTS));
  const own = requireAdaptable(model);
  const layers = own.linearLayers();
  const { unmatched: _, ...lora } = loraTargets(options, layers, String(own.config.model_type));

  const shapes = new Map<string, readonly number[]>();
  for (const [layer, { rank }] of lora.adapters) {
    const { inputs, outputs } = layers.get(layer)!;
    const [a, b] = adapterNames(layer);
    shapes.set(a, [rank, inputs]).set(b, [outputs, rank]);
  }
  own.addAdapters(lora, matched(folder, arrays, shapes));
  restrictTraining(own, [...shapes.keys()]);
}

function matched(
  folder: string,
  arrays: ReadonlyMap<string, WeightArray>,
  shapes: ReadonlyMap<string, readonly number[]>,
): Map<string, InitialVariable> {
  const faults: string[] = [];
  const found = new Map<string, InitialVariable>();
  for (const [name, shape] of shapes) {
    const array = arrays.get(`${PREFIX}${name}`);
    if (array === undefined) faults.push(`${name} is missing`);
    else if (!(array.data instanceof Float32Array) || array.shape.join() !== shape.join()) {
      faults.push(`${name} is ${array.dtype} [${array.shape}], expected float32 [${shape}]`);
    } else found.set(name, { shape, values: array.data });
  }
  for (const name of arrays.keys()) {
    if (!name.startsWith(PREFIX) || !shapes.has(name.slice(PREFIX.length))) faults.push(`${name} is unknown`);
  }
  if (faults.length === 0 && found.size > 0) return found;
  throw new ElenchusError(
    "WEIGHTS_INVALID",
    `The adapters in ${folder} do not fit the model: ${inShort(faults, { separator: "; " }) || "there are none"}. Expected those that ${CONFIG} names, for linear layers of this model.`,
    { details: { folder, faults } },
  );
}

function requireAdaptable(model: CausalModel): VariableCausalModel {
  if ("addAdapters" in model) return model as VariableCausalModel;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `The model ${model.name} cannot have adapters. Expected one that extends VariableCausalModel.`,
  );
}

function notSaved({ name }: CausalModel, why: string): ElenchusError {
  return new ElenchusError("CAPABILITY_MISSING", `The adapters of ${name} cannot be saved: ${why}.`);
}
