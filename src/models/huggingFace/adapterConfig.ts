import { z } from "zod";
import { parseOptions } from "../../base/index.js";
import { type LoraOptions, loraSchema } from "../../config/index.js";
import { parseFields } from "./configFields.js";

/** Fields of peft's `adapter_config.json` that say nothing of what the adapters compute. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ..."base_model_name_or_path revision inference_mode auto_mapping peft_version runtime_config".split(" "),
  // Each has an effect only beside another field, which is refused.
  ..."megatron_core qalora_group_size".split(" "),
  // peft sets it by the layer, whatever the file says.
  "fan_in_fan_out",
]);

const fields = z.object({
  ...loraSchema.shape,
  peft_type: z.literal("LORA"),
  // Without the ways that change the base's weights.
  init_lora_weights: z.union([z.boolean(), z.literal("gaussian")]).default(true),
});

/**
 * Reads the content of an `adapter_config.json`.
 * @param where its path
 * @throws CONFIG_INVALID naming every field that is wrong, or is set, changes the output and is not supported
 */
export function readAdapterConfig(json: object, where: string): LoraOptions {
  // peft writes null, or an empty list, for what is not used.
  const given = Object.fromEntries(Object.entries(json).filter(([, value]) => !isUnused(value)));
  const { peft_type: _, ...parsed } = parseFields(fields, given, where, WITHOUT_EFFECT);
  // First values are no longer of interest: the file beside it has the present ones.
  return parseOptions(loraSchema, { ...parsed, init_lora_weights: true }, where);
}

/** What stands in an `adapter_config.json`, understood by every version of peft that knows rsLoRA. */
export function writtenAdapterConfig(
  { target_modules, exclude_modules, layers_to_transform, layers_pattern, ...options }: LoraOptions,
  base: string,
): object {
  return {
    peft_type: "LORA",
    base_model_name_or_path: base,
    inference_mode: true,
    ...options,
    target_modules,
    ...(exclude_modules !== undefined && { exclude_modules }),
    ...(layers_to_transform !== undefined && { layers_to_transform }),
    ...(layers_pattern !== undefined && { layers_pattern }),
  };
}

function isUnused(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
