import { z } from "zod";
import { ElenchusError, nearest, optionFaults } from "../../base/index.js";

/*
 * What a task file may say: the keys of EleutherAI's harness, as far as they need no Python.
 */

const texts = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const metric = z.strictObject({
  metric: z.enum([
    "acc",
    "acc_norm",
    "acc_bytes",
    "exact_match",
    "perplexity",
    "word_perplexity",
    "byte_perplexity",
    "bits_per_byte",
  ]),
  aggregation: z.string().optional(),
  higher_is_better: z.boolean().optional(),
  ignore_case: z.boolean().default(false),
  ignore_punctuation: z.boolean().default(false),
  regexes_to_ignore: z.array(z.string()).default([]),
});

const filterStep = z.discriminatedUnion("function", [
  z.strictObject({
    function: z.literal("regex"),
    regex_pattern: z.string(),
    group_select: z.union([z.literal(0), z.literal(-1)]).default(0),
  }),
  z.strictObject({ function: z.literal("take_first") }),
  z.strictObject({ function: z.literal("lowercase") }),
  z.strictObject({ function: z.literal("uppercase") }),
  z.strictObject({ function: z.literal("remove_whitespace") }),
]);

const schema = z.strictObject({
  task: z.string().regex(/^[^\s:@|]+$/, "expected a name without white space, :, @ and |"),
  description: z.string().default(""),
  dataset_path: z.string(),
  dataset_name: z.string().nullish(),
  training_split: z.string().nullish(),
  validation_split: z.string().nullish(),
  test_split: z.string().nullish(),
  fewshot_split: z.string().nullish(),
  fewshot_config: z.strictObject({ sampler: z.enum(["default", "first_n"]).default("default") }).prefault({}),
  num_fewshot: z.int().min(0).nullish(),
  output_type: z
    .enum(["multiple_choice", "generate_until", "loglikelihood", "loglikelihood_rolling"])
    .default("generate_until"),
  doc_to_text: z.string().default(""),
  doc_to_target: z.union([z.string(), z.int()]),
  doc_to_choice: z.union([z.string(), z.array(z.string())]).nullish(),
  target_delimiter: z.string().default(" "),
  fewshot_delimiter: z.string().default("\n\n"),
  generation_kwargs: z
    .object({
      until: texts.optional(),
      max_gen_toks: z.int().positive().default(256),
      do_sample: z.literal(false).optional(),
      temperature: z.literal(0).optional(),
    })
    .strict()
    .prefault({}),
  metric_list: z.array(metric).min(1).optional(),
  filter_list: z
    .array(z.strictObject({ name: z.string(), filter: z.array(filterStep) }))
    .min(1)
    .optional(),
  metadata: z.looseObject({ version: z.union([z.number(), z.string()]).default(0) }).prefault({}),
  repeats: z.literal(1).optional(),
  tag: z.unknown().optional(),
  dataset_kwargs: z.looseObject({ revision: z.string().optional() }).nullish(),
  should_decontaminate: z.unknown().optional(),
  doc_to_decontamination_query: z.unknown().optional(),
});

/** A task file, checked and with all defaults. */
export type TaskDocumentFile = z.output<typeof schema>;

/** Keys of the harness that need Python or a part of it that is not here. */
const UNSUPPORTED = [
  "process_docs",
  "process_results",
  "custom_dataset",
  "use_prompt",
  "gen_prefix",
  "doc_to_image",
  "doc_to_audio",
  "unsafe_code",
  "group",
  "task_alias",
];

/**
 * Checks what a task file says.
 * @throws CONFIG_UNSUPPORTED for what the harness has and this has not; INPUT_UNREADABLE for all else that is wrong
 */
export function readTaskDocument(document: unknown, path: string): TaskDocumentFile {
  const keys = typeof document === "object" && document !== null ? Object.keys(document) : [];
  const unsupported = keys.filter((key) => UNSUPPORTED.includes(key));
  if (unsupported.length > 0) {
    throw new ElenchusError(
      "CONFIG_UNSUPPORTED",
      `${path} uses ${unsupported.join(", ")}, which the harness has and a task file here has not. Write the task in TypeScript.`,
    );
  }
  const { data, error } = schema.safeParse(document);
  if (data !== undefined) return data;
  const faults = error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys")
      return optionFaults(new z.ZodError([issue]), document, { schema });
    return issue.keys.map((key) => {
      const near = nearest(key, Object.keys(schema.shape));
      return `${[...issue.path, key].join(".")} is no key of a task${near === undefined ? "" : `; did you mean ${near}?`}`;
    });
  });
  throw new ElenchusError("INPUT_UNREADABLE", `${path} is no task: ${faults.join("; ")}.`);
}
