import { z } from "zod";

/** A model that may be asked by its `id`. Any model reference may, listed or not. */
export const modelSchema = z
  .object({
    id: z.string(),
    object: z.literal("model"),
    created: z.number(),
    owned_by: z.string(),
    /** As Llama Stack names the same. */
    identifier: z.string(),
    provider_id: z.string(),
    provider_resource_id: z.string().nullable(),
    type: z.literal("model"),
    model_type: z.literal("llm"),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Model" });

export const modelListSchema = z.object({ object: z.literal("list"), data: z.array(modelSchema) });

export type Model = z.output<typeof modelSchema>;
