import type { LoraOptions } from "../../../config/index.js";
import type { LinearLayer } from "../linearLayer.js";
import type { Adapter, Lora } from "./adapter.js";

/** Which layers get an adapter, and of what size. */
export interface LoraTargets extends Lora {
  /** Entries of `target_modules` that fit no layer. */
  readonly unmatched: readonly string[];
}

/**
 * Chooses layers as peft does (`check_target_module_exists`, `get_pattern_key`): a name in a list fits a layer of
 * that name or whose name ends in it behind a dot; a string is a regular expression for the whole name.
 * @param layers all linear layers; the head is none of them
 * @param family `model_type` of the model, for what is chosen when nothing is said
 */
export function loraTargets(
  options: LoraOptions,
  layers: ReadonlyMap<string, LinearLayer>,
  family: string,
): LoraTargets {
  const { exclude_modules: excluded, target_modules: wanted = USUAL[family] ?? USUAL_ELSEWHERE } = options;
  const names = [...layers.keys()];
  const isChosen = (name: string) =>
    isTarget(name, wanted, options) && !(excluded !== undefined && isNamed(name, excluded));
  const chosen = [...layers].filter(([name]) => isChosen(name));
  return {
    adapters: new Map(chosen.map(([name, layer]) => [name, adapterOf(name, layer, options)])),
    // Said outright, so that whoever reads it from a file need not choose again.
    options: { ...options, target_modules: isAllLinear(wanted) ? names : wanted },
    unmatched: isAllLinear(wanted) ? [] : unmatchedIn(wanted, names),
  };
}

function unmatchedIn(wanted: Names, names: readonly string[]): string[] {
  const entries = typeof wanted === "string" ? [wanted] : wanted.map((name) => [name]);
  return entries.filter((entry) => !names.some((name) => isNamed(name, entry))).flat();
}

/** As peft has them (`TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING`), but for nanochat, which it does not know. */
const USUAL: Readonly<Record<string, string[]>> = { gpt2: ["c_attn"], nanochat: ["c_q", "c_v"] };
const USUAL_ELSEWHERE = ["q_proj", "v_proj"];

type Names = string | string[];

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

function adapterOf(name: string, { stored }: LinearLayer, options: LoraOptions): Adapter {
  const rank = byPattern(options.rank_pattern, name) ?? options.r;
  const alpha = byPattern(options.alpha_pattern, name) ?? options.lora_alpha;
  const scaling = alpha / (options.use_rslora ? Math.sqrt(rank) : rank);
  return { rank, scaling, dropout: options.lora_dropout, stored };
}

/** The value of the first pattern that fits the end of a name, from a dot on. */
function byPattern(patterns: Readonly<Record<string, number>>, layer: string): number | undefined {
  return Object.entries(patterns).find(([pattern]) =>
    new RegExp(`^(?:.*\\.)?(?:${pattern})$`).test(layer),
  )?.[1];
}
