import { z } from "zod";
import { datasetDefinitionSchema } from "../datasets/datasetDefinition.js";
import { samplingParamsSchema } from "../generators/samplingParams.js";

const params = z.record(z.string(), z.unknown());

/** A scorer by name, or with params and a label of its own. */
const scorerSchema = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1).meta({ description: "Registered scorer." }),
    label: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "What its metrics are called by; its name when absent." }),
    params: params.optional(),
  }),
]);

/** A processor by name, or with params. */
const processorSchema = z.union([
  z.string().min(1),
  z.strictObject({ name: z.string().min(1), params: params.optional() }),
]);

/**
 * An evaluation as a document: which rows, what is asked about them, how answers are sampled and scored. A processor may
 * be a benchmark task, such as `harness:arc_easy`; then the rows are the task's own unless others are given, and the
 * task's metrics stand before those of other scorers.
 */
export const evalTaskSchema = z.strictObject({
  dataset: z
    .union([z.string().min(1), datasetDefinitionSchema])
    .optional()
    .meta({ description: "A registered data set, or its definition." }),
  row_limit: z.int().positive().optional().meta({ description: "At most so many rows; all when absent." }),
  row_selection: z.enum(["sample", "first"]).default("sample").meta({
    description: "Which rows a limit takes: a seeded sample, or the first.",
  }),
  row_seed: z.int().default(0).meta({ description: "Of the sample." }),
  processor: processorSchema.meta({
    description:
      "Registered processor, or a benchmark task; `elenchus list processors` and `list tasks` show them.",
  }),
  generator: z.string().min(1).default("inference").meta({ description: "Registered generator." }),
  sampling: samplingParamsSchema.prefault({}).meta({ description: "How answers are sampled." }),
  scorers: z
    .array(scorerSchema)
    .default([])
    .meta({ description: "Registered scorers, each perhaps with params." }),
});

/** An evaluation as it is asked for. */
export type EvalTaskDocument = z.input<typeof evalTaskSchema>;
/** An evaluation with its defaults. */
export type EvalTask = z.output<typeof evalTaskSchema>;

/** What a benchmark task takes as params of the processor. */
export const taskParamsSchema = z.strictObject({
  shots: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "Examples in front of each question; the task's own when absent." }),
  seed: z.int().optional().meta({ description: "Of the examples." }),
  system_prompt: z.string().optional().meta({ description: "What stands in front of everything." }),
  chat: z
    .union([z.boolean(), z.literal("auto")])
    .default("auto")
    .meta({
      description: "Whether questions are turns of a chat; `auto`: where the tokenizer has a template.",
    }),
  max_length: z
    .int()
    .positive()
    .optional()
    .meta({ description: "The most tokens the model reads at once.", unit: "tokens" }),
});
