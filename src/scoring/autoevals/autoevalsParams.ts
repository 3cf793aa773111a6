import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { modelReference } from "../judge/judgeParams.js";
import type { ModelClient } from "./modelClient.js";

const client = z.custom<ModelClient>(
  (value) => typeof value === "object" && value !== null && "embeddings" in value,
  "expected a client of OpenAI's package, or an object like it",
);

/** Params of a scorer of autoevals. */
export const autoevalsParams = z.strictObject({
  type: z.string().optional(),
  ...aggregationParams,
  /** Arguments of the scorer by its own names, such as `criteria`, `strictness`, `expectedMin`. */
  arguments: z.record(z.string(), z.unknown()).default({}),
  /** The model that judges: a reference to one behind a server of OpenAI's protocol. */
  judge_model: modelReference.optional(),
  /** In code: the client that is asked, embeddings included. */
  client: client.optional(),
  /** Name of the model that judges, where it is not the reference's. */
  model: z.string().min(1).optional(),
  /** Name of the model that embeds, on the same server. Default: the package's. */
  embedding_model: z.string().min(1).optional(),
  temperature: z.number().min(0).optional(),
  max_tokens: z.int().positive().optional(),
  /** Have the model reason before it chooses. Default: the package's, which is yes. */
  use_cot: z.boolean().optional(),
  concurrency: z.int().min(1).max(1024).default(8),
});

export type AutoevalsParams = z.output<typeof autoevalsParams>;
