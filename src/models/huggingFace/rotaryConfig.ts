import { z } from "zod";
import { optionFaults } from "../../base/index.js";
import type { RotaryScaling, RotarySettings } from "../causal/rotaryFrequencies.js";
import { invalidConfig } from "./configFields.js";

const factor = z.number().min(1);
const originalContext = z.int().positive().optional();
const shared = {
  rope_theta: z.number().positive().optional(),
  partial_rotary_factor: z.literal(1).nullish(),
};

const scaling = z.discriminatedUnion(
  "rope_type",
  [
    z.strictObject({ rope_type: z.literal("default"), ...shared }),
    z.strictObject({ rope_type: z.literal("linear"), factor, ...shared }),
    z.strictObject({
      rope_type: z.literal("dynamic"),
      factor,
      original_max_position_embeddings: originalContext,
      ...shared,
    }),
    z.strictObject({
      rope_type: z.literal("llama3"),
      factor,
      low_freq_factor: z.number().positive(),
      high_freq_factor: z.number().positive(),
      original_max_position_embeddings: originalContext,
      ...shared,
    }),
    z.strictObject({
      rope_type: z.literal("yarn"),
      factor,
      attention_factor: z.number().positive().nullish(),
      beta_fast: z.number().positive().nullish(),
      beta_slow: z.number().positive().nullish(),
      mscale: z.number().nullish(),
      mscale_all_dim: z.number().nullish(),
      truncate: z.boolean().optional(),
      original_max_position_embeddings: originalContext,
      ...shared,
    }),
  ],
  { error: "not supported; expected default, linear, dynamic, llama3 or yarn" },
);

/** What `config.json` says of rotary positions: `rope_theta` and `rope_scaling`, since 2026 `rope_parameters`. */
export interface RotaryFields {
  readonly rope_theta?: number | null | undefined;
  readonly rope_scaling?: Readonly<Record<string, unknown>> | null | undefined;
  readonly rope_parameters?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * @param size numbers of a head
 * @param context `max_position_embeddings`
 * @throws CONFIG_INVALID naming the field at fault
 */
export function rotarySettings(
  { rope_theta, rope_scaling, rope_parameters }: RotaryFields,
  { size, context, where }: { size: number; context: number; where: string },
): RotarySettings {
  const field = rope_parameters ? "rope_parameters" : "rope_scaling";
  const { type, ...given } = { ...(rope_parameters ?? rope_scaling) };
  const asked = { ...given, rope_type: given.rope_type ?? type ?? "default" };
  const parsed = scaling.safeParse(asked);
  if (!parsed.success) {
    throw invalidConfig(where, optionFaults(parsed.error, asked, { within: [field] }));
  }
  const fields = parsed.data;
  const base = fields.rope_theta ?? rope_theta ?? 10_000;
  return { size, base, scaling: scalingOf(fields, context) };
}

function scalingOf(fields: z.output<typeof scaling>, context: number): RotaryScaling {
  switch (fields.rope_type) {
    case "default":
      return { type: "default" };
    case "linear":
      return { type: "linear", factor: fields.factor };
    case "dynamic":
      return { type: "dynamic", factor: fields.factor, originalContext: context };
    case "llama3":
      return {
        type: "llama3",
        factor: fields.factor,
        lowFrequencyFactor: fields.low_freq_factor,
        highFrequencyFactor: fields.high_freq_factor,
        originalContext: fields.original_max_position_embeddings ?? context,
      };
    case "yarn":
      return {
        type: "yarn",
        factor: fields.factor,
        // Reference implementations take zero for absent here.
        betaFast: fields.beta_fast || 32,
        betaSlow: fields.beta_slow || 1,
        attentionFactor: fields.attention_factor ?? yarnAttention(fields),
        truncate: fields.truncate ?? true,
        originalContext: fields.original_max_position_embeddings ?? context,
      };
  }
}

/** 0.1 ln(factor) + 1, the paper's equation 22 under a root; with both `mscale`s their ratio, as DeepSeek has it. */
function yarnAttention({
  factor: stretch,
  mscale,
  mscale_all_dim,
}: Extract<z.output<typeof scaling>, { rope_type: "yarn" }>): number {
  const temperature = (weight: number) => (stretch <= 1 ? 1 : 0.1 * weight * Math.log(stretch) + 1);
  return mscale && mscale_all_dim ? temperature(mscale) / temperature(mscale_all_dim) : temperature(1);
}
