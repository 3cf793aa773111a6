import { z } from "zod";
import { identifierSchema, metadataSchema, rowSchema } from "./json.js";
import { scoresSchema, scoringParamsSchema } from "./scoring.js";

/** How tokens are chosen. */
export const samplingParamsSchema = z
  .object({
    strategy: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("greedy") }),
        z.object({
          type: z.literal("top_p"),
          temperature: z.number().positive().nullish(),
          top_p: z.number().gt(0).max(1).nullish(),
        }),
        z.object({ type: z.literal("top_k"), top_k: z.int().min(1) }),
      ])
      .default({ type: "greedy" }),
    /** 0 or absent: 256. */
    max_tokens: z.int().nonnegative().nullish(),
    repetition_penalty: z.number().positive().nullish(),
    stop: z.array(z.string().min(1)).max(4).nullish(),
    /** Beyond Llama Stack's. */
    seed: z.int().nullish(),
  })
  .meta({ id: "SamplingParams" });

const systemMessageSchema = z.object({ role: z.literal("system").default("system"), content: z.string() });

/** Who is evaluated: a model by reference. Agents are not served here. */
export const candidateSchema = z.object({
  type: z
    .literal("model", {
      error: 'a candidate of type "model"; candidates of type "agent" are not served here',
    })
    .default("model"),
  model: z.string().min(1),
  sampling_params: samplingParamsSchema.prefault({}),
  system_message: systemMessageSchema.nullish(),
});

export const benchmarkConfigSchema = z
  .object({
    eval_candidate: candidateSchema,
    scoring_params: z.record(z.string(), scoringParamsSchema).default({}),
    num_examples: z.int().positive().nullish(),
  })
  .meta({ id: "BenchmarkConfig" });

export const registerBenchmarkSchema = z.object({
  benchmark_id: identifierSchema,
  dataset_id: z.string().min(1),
  scoring_functions: z.array(z.string().min(1)),
  provider_benchmark_id: z.string().nullish(),
  provider_id: z.string().nullish(),
  metadata: metadataSchema.nullish(),
});

export const benchmarkSchema = z
  .object({
    identifier: z.string(),
    provider_id: z.string(),
    provider_resource_id: z.string().nullable(),
    type: z.literal("benchmark"),
    dataset_id: z.string(),
    scoring_functions: z.array(z.string()),
    metadata: metadataSchema,
  })
  .meta({ id: "Benchmark" });

export const benchmarkListSchema = z.object({ data: z.array(benchmarkSchema) });

export const runBenchmarkSchema = z.object({ benchmark_config: benchmarkConfigSchema });

export const evaluateRowsSchema = z.object({
  input_rows: z.array(rowSchema),
  scoring_functions: z.array(z.string().min(1)),
  benchmark_config: benchmarkConfigSchema,
});

export const evaluateResponseSchema = z
  .object({ generations: z.array(rowSchema), scores: scoresSchema })
  .meta({ id: "EvaluateResponse" });

export type SamplingParams = z.output<typeof samplingParamsSchema>;
export type Candidate = z.output<typeof candidateSchema>;
export type BenchmarkConfig = z.output<typeof benchmarkConfigSchema>;
export type RegisterBenchmark = z.output<typeof registerBenchmarkSchema>;
export type Benchmark = z.output<typeof benchmarkSchema>;
export type EvaluateResponse = z.output<typeof evaluateResponseSchema>;
