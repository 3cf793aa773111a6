import { ElenchusError, nearest, parseOptions } from "../../../base/index.js";
import { loraSchema } from "../../../config/index.js";
import type { LinearLayer } from "../linearLayer.js";
import type { Lora } from "./adapter.js";
import { loraTargets } from "./loraTargets.js";

/** The table as a user knows it. */
const WHERE = "[parameters.lora]";

/** A model that adapters are chosen for; it need not be built. */
export interface LayeredModel {
  /** As messages name it. */
  readonly model: string;
  /** `model_type`, for what is chosen when nothing is said. */
  readonly family: string;
  /** All linear layers; the head is none of them. */
  readonly layers: ReadonlyMap<string, LinearLayer>;
}

/**
 * The adapters that a table asks for.
 * @param table `[parameters.lora]`
 * @throws CONFIG_INVALID for a fault in the table, and for a target that is no linear layer of the model
 */
export function chosenAdapters(
  table: Readonly<Record<string, unknown>>,
  { model, family, layers }: LayeredModel,
): Lora {
  const options = parseOptions(loraSchema, table, WHERE);
  const { unmatched, ...lora } = loraTargets(options, layers, family);
  if (unmatched.length === 0 && lora.adapters.size > 0) return lora;
  throw noTarget(model, unmatched, [...layers.keys()]);
}

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
    { details: { model, unmatched, path: ["parameters", "lora", "target_modules"] } },
  );
}
