import { z } from "zod";
import { ACTIVATION_NAMES } from "../causal/activationNames.js";
import type { LlamaShape } from "../llamaShape.js";
import { invalidConfig, parseFields } from "./configFields.js";
import { rotarySettings } from "./rotaryConfig.js";

const size = z.int().positive();
const table = z.record(z.string(), z.unknown()).nullish();

const common = {
  vocab_size: size.describe("Tokens of the vocabulary."),
  max_position_embeddings: size.describe("Tokens of the context."),
  hidden_size: size.describe("Width of a token's state."),
  intermediate_size: size.describe("Width within the dense layers."),
  num_hidden_layers: size.describe("Layers."),
  num_attention_heads: size.describe("Heads of attention."),
  num_key_value_heads: size
    .nullish()
    .describe("Heads of keys and values; as many as of attention when absent."),
  head_dim: size.nullish().describe("Numbers of a head; hidden_size / num_attention_heads when absent."),
  hidden_act: z.enum(ACTIVATION_NAMES).default("silu").describe("Activation of the dense layers."),
  rms_norm_eps: z.number().positive().default(1e-6),
  tie_word_embeddings: z.boolean().default(false).describe("Whether token embeddings also make the logits."),
  rope_theta: z.number().positive().nullish(),
  rope_scaling: table.describe("Scaling of rotary positions: default, linear, dynamic, llama3 or yarn."),
  rope_parameters: table.describe("rope_theta and rope_scaling in one, as newer files have it."),
  rope_interleaved: z.literal(false).nullish(),
  attention_dropout: z.number().min(0).lt(1).nullish(),
  initializer_range: z.number().nonnegative().default(0.02).describe("Deviation of the first weights."),
  layer_types: z.array(z.enum(["full_attention", "sliding_attention"])).nullish(),
};

const biases = { attention_bias: z.boolean().default(false) };
const slidingLayers = {
  use_sliding_window: z
    .boolean()
    .default(false)
    .describe("Whether layers from max_window_layers on see a window."),
  sliding_window: size.nullish().describe("Tokens that such a layer sees."),
  max_window_layers: z.int().nonnegative().default(28),
};

/** `config.json` by model type. */
export const LLAMA_CONFIGS = {
  llama: z.object({ ...common, ...biases, mlp_bias: z.boolean().default(false) }),
  qwen2: z.object({ ...common, ...slidingLayers }),
  qwen3: z.object({ ...common, ...biases, ...slidingLayers }),
  mistral: z.object({
    ...common,
    sliding_window: size.nullish().describe("Tokens that a layer sees; null: all."),
  }),
} as const;

export type LlamaType = keyof typeof LLAMA_CONFIGS;

/** @throws CONFIG_INVALID naming the fields at fault */
export function llamaShape(type: LlamaType, config: object, where: string): LlamaShape {
  const fields: Fields = parseFields(LLAMA_CONFIGS[type], config, where);
  const heads = fields.num_attention_heads;
  const keyHeads = fields.num_key_value_heads ?? heads;
  const headSize = fields.head_dim ?? (type === "qwen3" ? 128 : fields.hidden_size / heads);
  const faults: string[] = [];
  if (heads % keyHeads !== 0)
    faults.push(`num_key_value_heads = ${keyHeads} does not divide num_attention_heads = ${heads}`);
  if (!Number.isInteger(headSize) || headSize % 2 !== 0) {
    faults.push(
      `a head has ${headSize} numbers (head_dim, or hidden_size / num_attention_heads): expected an even whole number`,
    );
  }
  if (fields.layer_types && fields.layer_types.length !== fields.num_hidden_layers) {
    faults.push(
      `layer_types has ${fields.layer_types.length} entries, num_hidden_layers = ${fields.num_hidden_layers}`,
    );
  }
  if (faults.length > 0) throw invalidConfig(where, faults);
  const bias = type === "qwen2" || (fields.attention_bias ?? false);
  return {
    vocabularySize: fields.vocab_size,
    contextLength: fields.max_position_embeddings,
    width: fields.hidden_size,
    layers: fields.num_hidden_layers,
    heads,
    keyHeads,
    headSize,
    innerWidth: fields.intermediate_size,
    activation: fields.hidden_act,
    normEpsilon: fields.rms_norm_eps,
    rotary: rotarySettings(fields, { size: headSize, context: fields.max_position_embeddings, where }),
    biases: {
      queriesKeysValues: bias,
      output: type !== "qwen2" && bias,
      dense: fields.mlp_bias ?? false,
    },
    queryKeyNorm: type === "qwen3",
    windows: windowsOf(type, fields),
    tied: fields.tie_word_embeddings,
    attentionDropout: fields.attention_dropout ?? 0,
    deviation: fields.initializer_range,
  };
}

/** The union of what the types have. */
type Fields = z.output<z.ZodObject<typeof common>> & {
  attention_bias?: boolean;
  mlp_bias?: boolean;
  use_sliding_window?: boolean;
  sliding_window?: number | null | undefined;
  max_window_layers?: number;
};

function windowsOf(type: LlamaType, fields: Fields): number[] {
  const all = Number.POSITIVE_INFINITY;
  const window = type === "mistral" || fields.use_sliding_window ? (fields.sliding_window ?? all) : all;
  return Array.from({ length: fields.num_hidden_layers }, (_, layer) => {
    if (type === "mistral") return window;
    const kind = fields.layer_types?.[layer];
    const slides = kind ? kind === "sliding_attention" : layer >= (fields.max_window_layers ?? 0);
    return slides ? window : all;
  });
}
