import { ElenchusError } from "../../base/index.js";
import type { VariableCausalModel } from "../causal/variableCausalModel.js";
import { gpt2Weights } from "../gpt2Weights.js";
import type { Initialiser } from "../initialValues.js";
import { llamaWeights } from "../llamaWeights.js";
import { LONGEST_CONTEXTS } from "../nanochatPositions.js";
import { nanochatWeights } from "../nanochatWeights.js";
import type { InitialVariable } from "../variableModel.js";
import { gpt2Shape } from "./gpt2Config.js";
import { type LlamaType, llamaShape } from "./llamaConfig.js";
import { nanochatShape } from "./nanochatConfig.js";

/** Families that are built from a `config.json`, by its `model_type`. */
const CAUSAL_TYPES = ["gpt2", "llama", "mistral", "nanochat", "qwen2", "qwen3"] as const;

export type CausalType = (typeof CAUSAL_TYPES)[number];

/** A checked configuration, ready to be built. */
export interface CausalPlan {
  readonly type: CausalType;
  readonly vocabularySize: number;
  /** The most tokens that it reads at once. */
  readonly contextLength: number;
  /** Tokens of a row for which there are positions; infinite where positions are computed. */
  readonly longestRow: number;
  /** All weights by name, with their first values; loads no TensorFlow.js. */
  weights(initialiser: Initialiser): ReadonlyMap<string, InitialVariable>;
  /** Loads TensorFlow.js; the compute back end must already be chosen. */
  build(name: string, initialiser: Initialiser): Promise<VariableCausalModel>;
}

/**
 * Reads the content of a `config.json`.
 * @param where how the user knows it: a file, or `[parameters.model] of llama`
 * @throws CONFIG_INVALID naming every field that is missing or wrong, or is set, changes the output and is not
 *   supported; NAME_UNKNOWN for another model type
 */
export function causalPlan(config: object, where: string): CausalPlan {
  const type = typeOf(config, where);
  const json = { ...config, model_type: type };
  if (type === "gpt2") {
    const shape = gpt2Shape(config, where);
    return {
      type,
      vocabularySize: shape.vocabularySize,
      contextLength: shape.contextLength,
      longestRow: shape.contextLength,
      weights: (make) => gpt2Weights(shape, make),
      build: async (name, make) => new (await import("../gpt2.js")).Gpt2(name, shape, make, json),
    };
  }
  if (type === "nanochat") {
    const shape = nanochatShape(config, where);
    return {
      type,
      vocabularySize: shape.vocabularySize,
      contextLength: shape.contextLength,
      longestRow: LONGEST_CONTEXTS * shape.contextLength,
      weights: (make) => nanochatWeights(shape, make),
      build: async (name, make) => new (await import("../nanochat.js")).Nanochat(name, shape, make, json),
    };
  }
  const shape = llamaShape(type satisfies LlamaType, config, where);
  return {
    type,
    vocabularySize: shape.vocabularySize,
    contextLength: shape.contextLength,
    longestRow: Number.POSITIVE_INFINITY,
    weights: (make) => llamaWeights(shape, make),
    build: async (name, make) => new (await import("../llama.js")).Llama(name, shape, make, json),
  };
}

function typeOf(config: object, where: string): CausalType {
  const { model_type, architectures } = config as { model_type?: unknown; architectures?: unknown };
  const type = CAUSAL_TYPES.find((known) => known === model_type);
  if (type === undefined) {
    throw new ElenchusError(
      "NAME_UNKNOWN",
      `${where}: model_type = ${JSON.stringify(model_type) ?? "none"} is not supported. Supported: ${CAUSAL_TYPES.join(", ")}.`,
    );
  }
  const architecture = Array.isArray(architectures) ? String(architectures[0]) : undefined;
  if (architecture !== undefined && !/(ForCausalLM|LMHeadModel)$/.test(architecture)) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `${where}: architectures = ["${architecture}"] has no head that predicts tokens. Expected a causal language model, such as ${type === "gpt2" ? "GPT2LMHeadModel" : "LlamaForCausalLM"}.`,
    );
  }
  return type;
}
