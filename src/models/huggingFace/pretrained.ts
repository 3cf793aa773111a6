import { join } from "node:path";
import { ElenchusError, inShort, writeAtomic } from "../../base/index.js";
import { openSafetensors, writeSafetensors } from "../../weights/index.js";
import type { VariableCausalModel } from "../causal/variableCausalModel.js";
import type { CausalModel } from "../causalModel.js";
import { emptyValues } from "../initialValues.js";
import { writeVariable } from "../variableModel.js";
import { mergedWeights } from "./mergedWeights.js";
import { readPlan } from "./planFile.js";

const CONFIG = "config.json";
const WEIGHTS = "model.safetensors";

/**
 * Builds a model from a folder as Hugging Face lays it out: `config.json` with `model.safetensors` or its parts.
 * Weights are read one array at a time, so that beside the model never more than one exists. The compute back end
 * must already be chosen.
 * @throws INPUT_UNREADABLE without a readable `config.json`; CONFIG_INVALID and NAME_UNKNOWN as `causalPlan`;
 *   CHECKPOINT_INVALID for files that are missing or torn; WEIGHTS_INVALID when arrays are missing, unknown or of
 *   another shape
 */
export async function loadPretrained(folder: string, name = folder): Promise<CausalModel> {
  const plan = await readPlan(folder);
  const files = await openSafetensors(folder);
  const model = await plan.build(name, emptyValues());
  try {
    const names = matchNames(folder, model, files.shapes);
    await files.read(
      (stored, array) => writeVariable(names.get(stored)!, model.variables.get(names.get(stored)!)!, array),
      (stored) => names.has(stored),
    );
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/**
 * Writes a model so that others load it: `config.json` and `model.safetensors` with 32-bit floats, in a folder that
 * exists. Adapters are merged into their layers.
 * @throws CAPABILITY_MISSING for a model that has no `config.json`
 */
export async function savePretrained(model: CausalModel, folder: string): Promise<void> {
  const { config } = model as Partial<VariableCausalModel>;
  if (!config) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The model ${model.name} cannot be saved as a pretrained one: it does not say what its config.json would be.`,
    );
  }
  const arrays = mergedWeights(model as VariableCausalModel);
  await writeSafetensors(join(folder, WEIGHTS), { arrays, metadata: new Map([["format", "pt"]]) });
  const { torch_dtype: _, dtype: __, ...kept } = config;
  await writeAtomic(
    join(folder, CONFIG),
    `${JSON.stringify({ ...kept, torch_dtype: "float32" }, null, 2)}\n`,
  );
}

/** Arrays that some checkpoints carry and that are no weights: masks and tables made from the configuration. */
const BUFFERS = /(\.attn\.(bias|masked_bias)|\.rotary_emb\.inv_freq)$/;

/** Names in the files to names in the model. */
function matchNames(
  folder: string,
  model: VariableCausalModel,
  shapes: ReadonlyMap<string, readonly number[]>,
): Map<string, string> {
  const names = new Map<string, string>();
  const faults: string[] = [];
  for (const [stored, shape] of shapes) {
    // A checkpoint of the part without its head has no prefix.
    const name = [stored, `model.${stored}`, `transformer.${stored}`].find((one) => model.variables.has(one));
    if (name === undefined) {
      if (!BUFFERS.test(stored) && !isTiedHead(stored, model)) faults.push(`${stored} is unknown`);
      continue;
    }
    const expected = model.variables.get(name)!.shape;
    if (shape.join() !== expected.join()) faults.push(`${stored} is [${shape}], expected [${expected}]`);
    names.set(stored, name);
  }
  const found = new Set(names.values());
  for (const name of model.variables.keys()) if (!found.has(name)) faults.push(`${name} is missing`);
  if (faults.length === 0) return names;
  throw new ElenchusError(
    "WEIGHTS_INVALID",
    `The weights in ${folder} do not fit its config.json: ${inShort(faults, { separator: "; " })}. Expected both from the same model.`,
    { details: { folder, faults } },
  );
}

/** A copy of the embeddings that was written although both are one. */
function isTiedHead(stored: string, model: VariableCausalModel): boolean {
  return stored === "lm_head.weight" && !model.variables.has(stored);
}
