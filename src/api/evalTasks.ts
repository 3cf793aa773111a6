import { z } from "zod";
import { optionFaults } from "../base/index.js";
import { outcomeSchema } from "./datasetDefinitions.js";
import { samplingParamsSchema } from "./evaluation.js";
import { jobDetailsSchema } from "./jobs.js";

const kwargs = z.record(z.string(), z.unknown()).nullish();

/** Which rows. With `seed` a row limit draws that many rows, the same each time; without, it takes the first. */
export const evaluateDatasetConfigSchema = z.object({
  dataset_identifier: z.string().min(1),
  row_limit: z.int().positive().nullish(),
  kwargs,
});

const processorConfigSchema = z.object({
  processor_identifier: z.string().min(1),
  preprocess_config: z.object({ kwargs }).nullish(),
  postprocess_config: z.object({ kwargs }).nullish(),
});

const generationConfigSchema = z.object({
  model: z.string().min(1),
  sampling_params: samplingParamsSchema.prefault({}),
  kwargs,
});

const judgeConfigSchema = z.object({
  judge_processor_config: processorConfigSchema,
  judge_model_generation_config: generationConfigSchema,
  judge_scoring_config: z.record(z.string(), z.unknown()).nullish(),
});

export const scoringConfigSchema = z.object({
  scorer_config_list: z
    .array(
      z.object({
        scorer_name: z.string().min(1),
        llm_judge_config: judgeConfigSchema.nullish(),
        /** Params of the scorer; beyond the seed's. */
        params: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .min(1),
});

/** A whole task: preprocess, generate, postprocess, score. */
export const evaluateTaskConfigSchema = z
  .object({
    dataset_config: evaluateDatasetConfigSchema,
    processor_config: processorConfigSchema,
    generation_config: generationConfigSchema,
    scoring_config: scoringConfigSchema,
  })
  .meta({ id: "EvaluateTaskConfig" });

export const runEvalTaskSchema = z.object({ eval_task_config: evaluateTaskConfigSchema });

export const runScorerSchema = z.object({
  dataset_config: evaluateDatasetConfigSchema,
  eval_scoring_config: scoringConfigSchema,
});

export const evalResultSchema = z
  .object({
    eval_result: z.object({ metrics: z.record(z.string(), z.number().nullable()) }),
    formatted_report: z.string().nullable(),
  })
  .meta({ id: "EvalResult" });

/** A task in full, or a model on a data set with a processor and scorers by name. */
export const createJobSchema = z.union(
  [
    runEvalTaskSchema,
    z.object({
      model: z.string().min(1),
      dataset: z.string().min(1),
      /** A processor's name, as `elenchus list processors` shows them. */
      task: z.string().min(1),
      scorers: z.array(z.string().min(1)).min(1).default(["accuracy"]),
      row_limit: z.int().positive().nullish(),
      sampling_params: samplingParamsSchema.prefault({}),
    }),
  ],
  { error: ({ input, errors }) => faultsOfForm(input, errors as readonly z.core.$ZodIssue[][]) },
);

/** Faults of the form that a request has, which those of the other would only confuse. */
function faultsOfForm(input: unknown, [ofTask = [], ofNames = []]: readonly z.core.$ZodIssue[][]): string {
  const whole = typeof input === "object" && input !== null && "eval_task_config" in input;
  return optionFaults(new z.ZodError([...(whole ? ofTask : ofNames)]), input).join("; ");
}

export const namedJobSchema = z.object({ job_id: z.string().min(1) });
export const jobOutcomeSchema = outcomeSchema
  .extend({ job_id: z.string().nullable(), job: jobDetailsSchema.nullable() })
  .meta({ id: "JobOutcome" });

export type EvaluateTaskConfig = z.output<typeof evaluateTaskConfigSchema>;
export type EvaluateDatasetConfig = z.output<typeof evaluateDatasetConfigSchema>;
export type EvaluateScoringConfig = z.output<typeof scoringConfigSchema>;
export type EvalResult = z.output<typeof evalResultSchema>;
export type CreateJob = z.output<typeof createJobSchema>;
export type JobOutcome = z.output<typeof jobOutcomeSchema>;
