import type { LoraOptions } from "../../../config/index.js";
import type { Adapter } from "./adapter.js";

/** Which layers get an adapter, and of what size. */
export interface LoraTargets {
  /** In the order of the layers. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Entries of `target_modules` that fit no layer. */
  readonly unmatched: readonly string[];
}

/**
 * Chooses layers as peft does (`check_target_module_exists`, `get_pattern_key`): a name in a list fits a layer of
 * that name or whose name ends in it behind a dot; a string is a regular expression for the whole name.
 * @param layers all linear layers; the head is none of them
 * @param family `model_type` of the model, for what is chosen when nothing is said
 */
export function loraTargets(options: LoraOptions, layers: readonly string[], family: string): LoraTargets {
  const wanted = options.target_modules ?? USUAL[family] ?? USUAL_ELSEWHERE;
  const chosen = layers.filter(
    (layer) =>
      isTarget(layer, wanted, options) &&
      !(options.exclude_modules !== undefined && isNamed(layer, options.exclude_modules)),
  );
  const names = isAllLinear(wanted) ? [] : [wanted].flat();
  return {
    adapters: new Map(chosen.map((layer) => [layer, adapterOf(layer, options)])),
    unmatched: names.filter(
      (name) => !layers.some((layer) => isNamed(layer, typeof wanted === "string" ? name : [name])),
    ),
  };
}

/** As peft has them (`TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING`), but for nanochat, which it does not know. */
const USUAL: Readonly<Record<string, readonly string[]>> = { gpt2: ["c_attn"], nanochat: ["c_q", "c_v"] };
const USUAL_ELSEWHERE = ["q_proj", "v_proj"];

type Names = string | readonly string[];

function isAllLinear(wanted: Names): boolean {
  return typeof wanted === "string" && wanted.toLowerCase() === "all-linear";
}

function isTarget(layer: string, wanted: Names, options: LoraOptions): boolean {
  if (isAllLinear(wanted)) return true;
  if (!isNamed(layer, wanted)) return false;
  // A whole name is meant as it stands, and its number with it.
  return typeof wanted === "string" || wanted.includes(layer) || isInBlock(layer, options);
}

function isNamed(layer: string, names: Names): boolean {
  if (typeof names === "string") return new RegExp(`^(?:${names})$`).test(layer);
  return names.some((name) => layer === name || layer.endsWith(`.${name}`));
}

function isInBlock(layer: string, { layers_to_transform, layers_pattern = [] }: LoraOptions): boolean {
  if (layers_to_transform === undefined) return true;
  const patterns = [layers_pattern].flat();
  const number = (patterns.length === 0 ? ["[^.]*"] : patterns)
    .map((pattern) => new RegExp(`^(?:|.*?\\.)(?:${pattern})\\.(\\d+)\\.`).exec(layer)?.[1])
    .find((found) => found !== undefined);
  return number !== undefined && [layers_to_transform].flat().includes(Number(number));
}

function adapterOf(layer: string, options: LoraOptions): Adapter {
  const rank = byPattern(options.rank_pattern, layer) ?? options.r;
  const alpha = byPattern(options.alpha_pattern, layer) ?? options.lora_alpha;
  const scaling = alpha / (options.use_rslora ? Math.sqrt(rank) : rank);
  return { rank, scaling, dropout: options.lora_dropout };
}

/** The value of the first pattern that fits the end of a name, from a dot on. */
function byPattern(patterns: Readonly<Record<string, number>>, layer: string): number | undefined {
  return Object.entries(patterns).find(([pattern]) =>
    new RegExp(`^(?:.*\\.)?(?:${pattern})$`).test(layer),
  )?.[1];
}
