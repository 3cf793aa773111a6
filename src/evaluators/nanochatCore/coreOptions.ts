import { z } from "zod";

/** Keys of Plato's evaluator, and those that being built in adds. */
export const coreOptions = z.strictObject({
  bundle_dir: z.string().min(1).optional().meta({
    description:
      "Where `eval_bundle` is or is put: its parent, itself, or a zip archive of it. `$NANOCHAT_BASE_DIR`, else `~/.cache/nanochat`, when absent.",
  }),
  bundle_urls: z
    .array(z.url())
    .min(1)
    .default(["https://karpathy-public.s3.us-west-2.amazonaws.com/eval_bundle.zip"])
    .meta({ description: "Where the bundle's archive is fetched from, mirrors behind one another." }),
  bundle_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: "64 hexadecimal digits" })
    .optional()
    .meta({ description: "What the fetched archive must be." }),
  max_per_task: z.int().default(-1).meta({
    description: "Documents per task, the first after the shuffle with seed 1337. Below 1: all. As `limit`.",
    unit: "documents",
  }),
  allow_partial: z.boolean().default(false).meta({
    description:
      "Whether tasks without files and rows that cannot be asked are left out; then the metric is `core_metric_partial`.",
  }),
  baselines: z.enum(["bundle", "v1", "v2"]).default("bundle").meta({
    description:
      "What guessing reaches: the bundle's own table, or where it has none `v1`, nanochat's; `v2`, DCLM's correction.",
  }),
  tokenizer: z.string().min(1).optional().meta({
    description:
      "tokenizer.json, a rank file, or the folder of one of them; the trainer's tokenizer when absent.",
  }),
});

/** A table's options, and the common keys that the evaluator reads. */
export type CoreConfig = Readonly<z.output<typeof coreOptions> & { limit?: number; data_dir?: string }> &
  Readonly<Record<string, unknown>>;
