import { z } from "zod";
import { identifierSchema, metadataSchema, rowSchema } from "./json.js";

/** What a scoring function gives. */
export const PARAM_TYPES = [
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "json",
  "union",
  "chat_completion_input",
  "completion_input",
  "agent_turn_input",
] as const;

export const AGGREGATIONS = [
  "average",
  "weighted_average",
  "median",
  "categorical_count",
  "accuracy",
] as const;

const aggregationsSchema = z.array(z.enum(AGGREGATIONS)).nullish();

/** Params in Llama Stack's three forms, told apart by `type`. */
const typedParamsSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("llm_as_judge"),
    judge_model: z.string().min(1),
    prompt_template: z.string().nullish(),
    judge_score_regexes: z.array(z.string()).nullish(),
    aggregation_functions: aggregationsSchema,
  }),
  z.looseObject({
    type: z.literal("regex_parser"),
    parsing_regexes: z.array(z.string()).nullish(),
    aggregation_functions: aggregationsSchema,
  }),
  z.looseObject({ type: z.literal("basic"), aggregation_functions: aggregationsSchema }),
]);

/** Without `type`: the params of the scorer itself, as `elenchus score --params` takes them. */
export const scoringParamsSchema = z.union([
  typedParamsSchema,
  z.record(z.string(), z.unknown()).refine((params) => !Object.hasOwn(params, "type"), {
    error: "one of the types llm_as_judge, regex_parser, basic, or params without a type",
  }),
]);

/** Scoring functions by name with params of this call, null for their own. */
export const scoringFunctionsSchema = z
  .record(z.string(), scoringParamsSchema.nullable())
  .refine((functions) => Object.keys(functions).length > 0, { error: "at least one scoring function" });

export const registerScoringFnSchema = z.object({
  scoring_fn_id: identifierSchema,
  description: z.string(),
  return_type: z.object({ type: z.enum(PARAM_TYPES) }),
  provider_scoring_fn_id: z.string().nullish(),
  provider_id: z.string().nullish(),
  params: scoringParamsSchema.nullish(),
});

export const scoringFnSchema = z
  .object({
    identifier: z.string(),
    provider_id: z.string(),
    provider_resource_id: z.string().nullable(),
    type: z.literal("scoring_function"),
    description: z.string().nullable(),
    metadata: metadataSchema,
    return_type: z.object({ type: z.enum(PARAM_TYPES) }),
    params: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "ScoringFn" });

export const scoringFnListSchema = z.object({ data: z.array(scoringFnSchema) });

/** Rows in the order of the input, and the figures of all of them by aggregation. */
export const scoringResultSchema = z
  .object({
    score_rows: z.array(z.looseObject({ score: z.union([z.number(), z.string(), z.null()]) })),
    aggregated_results: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .meta({ id: "ScoringResult" });

export const scoresSchema = z.record(z.string(), scoringResultSchema);

export const scoreRequestSchema = z.object({
  input_rows: z.array(rowSchema),
  scoring_functions: scoringFunctionsSchema,
});
export const scoreReplySchema = z.object({ results: scoresSchema });

export const scoreBatchRequestSchema = z.object({
  dataset_id: z.string().min(1),
  scoring_functions: scoringFunctionsSchema,
  save_results_dataset: z.boolean().default(false),
});
export const scoreBatchReplySchema = z.object({ dataset_id: z.string().nullable(), results: scoresSchema });

export type ScoringParams = z.output<typeof scoringParamsSchema>;
export type ScoringFunctions = z.output<typeof scoringFunctionsSchema>;
export type RegisterScoringFn = z.output<typeof registerScoringFnSchema>;
export type ScoringFn = z.output<typeof scoringFnSchema>;
export type ScoringResult = z.output<typeof scoringResultSchema>;
