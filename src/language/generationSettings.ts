import { z } from "zod";
import { ElenchusError, optionFaults } from "../base/index.js";
import type { GenerationSettings } from "./generation.js";

/** Settings with nothing left open but the end tokens, which are the tokenizer's by default. */
export type ResolvedSettings = z.output<typeof schema>;

const schema = z.object({
  maxNewTokens: z.int().positive().default(256),
  temperature: z.number().min(0).default(0),
  topK: z.int().min(0).default(0),
  topP: z.number().gt(0).max(1).default(1),
  topPCrossing: z.enum(["keep", "drop"]).default("keep"),
  repetitionPenalty: z.number().positive().default(1),
  stop: z.array(z.string()).readonly().default([]),
  stopTokens: z.array(z.int()).readonly().optional(),
  seed: z.union([z.number(), z.string()]).default(0),
});

/**
 * The settings of one request: its own before those of the batch before the defaults.
 * @throws CONFIG_VALUE naming the request
 */
export function resolveSettings(
  request: GenerationSettings,
  batch: GenerationSettings,
  index: number,
): ResolvedSettings {
  const keys = Object.keys(schema.shape) as (keyof typeof schema.shape)[];
  const given = Object.fromEntries(keys.map((key) => [key, request[key] ?? batch[key]]));
  const { data, error } = schema.safeParse(given);
  if (data !== undefined) return data;
  const faults = optionFaults(error, given).join("; ");
  throw new ElenchusError("CONFIG_VALUE", `Request ${index} cannot be answered: ${faults}.`);
}
