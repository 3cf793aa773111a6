import { z } from "zod";

const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/**
 * `[parameters.lora]`: low-rank adapters (Hu et al. 2021, arXiv:2106.09685). Keys, defaults and meanings are those
 * of peft's `LoraConfig`, which Plato passes through.
 */
export const loraSchema = z
  .strictObject({
    r: z.int().positive().default(8).meta({ description: "Rank of the adapters." }),
    lora_alpha: z.number().positive().default(8).meta({
      description: "An adapter's output is multiplied by `lora_alpha` / `r`.",
    }),
    lora_dropout: z.number().min(0).lt(1).default(0).meta({
      description: "Share of an adapter's inputs that training leaves out.",
    }),
    target_modules: names.optional().meta({
      description:
        'Layers that get an adapter: a list of names, whole or their last parts (`"q_proj"`); a string is a regular expression for the whole name; `"all-linear"` is every linear layer but the head. When absent `c_attn` of GPT-2, `c_q` and `c_v` of nanochat, `q_proj` and `v_proj` of all others.',
    }),
    exclude_modules: names.optional().meta({
      description: "Layers that get none all the same, named as in `target_modules`.",
    }),
    layers_to_transform: z
      .union([z.int().nonnegative(), z.array(z.int().nonnegative()).min(1)])
      .optional()
      .meta({ description: "Numbers of the blocks, from 0, in which lists of names look for layers." }),
    layers_pattern: names.optional().meta({
      description: "Name in front of that number (`layers`, `h`), where a layer has several numbers.",
    }),
    rank_pattern: z.record(z.string(), z.int().positive()).default({}).meta({
      description: "Other ranks: by the end of a layer's name, a regular expression.",
    }),
    alpha_pattern: z.record(z.string(), z.number().positive()).default({}).meta({
      description: "Other values of `lora_alpha`, likewise.",
    }),
    use_rslora: z.boolean().default(false).meta({
      description: "Multiply by `lora_alpha` / sqrt(`r`) instead (Kalajdzievski 2023, arXiv:2312.03732).",
    }),
    init_lora_weights: z
      .union([z.literal(true), z.literal("gaussian")])
      .default(true)
      .meta({
        description:
          'First values of A: uniform within 1 / sqrt(inputs), or with `"gaussian"` normal with deviation 1 / `r`. B begins at zero.',
      }),
    bias: z.literal("none").default("none").meta({ description: "Biases are not trained." }),
    task_type: z.literal("CAUSAL_LM").default("CAUSAL_LM").meta({ description: "The kind of model." }),
  })
  .superRefine((table, context) => {
    const fault = (key: string, message: string) =>
      context.addIssue({ code: "custom", path: [key], message });
    for (const key of ["target_modules", "exclude_modules"] as const) {
      const pattern = table[key];
      if (typeof pattern === "string" && !isPattern(pattern))
        fault(key, "a list of names, or a regular expression");
    }
    for (const key of ["rank_pattern", "alpha_pattern"] as const) {
      const broken = Object.keys(table[key]).find((pattern) => !isPattern(pattern));
      if (broken !== undefined) fault(key, `regular expressions as keys; ${JSON.stringify(broken)} is none`);
    }
    const { target_modules, layers_to_transform, layers_pattern } = table;
    if (layers_to_transform !== undefined && typeof target_modules === "string") {
      fault("layers_to_transform", "none, or target_modules as a list of names");
    }
    if (layers_pattern !== undefined && layers_to_transform === undefined) {
      fault("layers_pattern", "none, or layers_to_transform beside it");
    }
  });

/** The parsed table. */
export type LoraOptions = z.output<typeof loraSchema>;

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
