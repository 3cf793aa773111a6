import { z } from "zod";
import { algorithmSchema } from "./algorithm.js";
import { clientsSchema } from "./clients.js";
import { dataSchema } from "./data.js";
import { generalSchema } from "./general.js";
import { parametersSchema } from "./parameters.js";
import { resultsSchema } from "./results.js";
import { serverSchema } from "./server.js";
import { serviceSchema } from "./service.js";
import { trainerSchema } from "./trainer.js";

/**
 * The keys that are supported, with defaults. Keys keep their TOML names everywhere: what a user writes is
 * what the code reads, what `check` prints and what `run.json` records.
 */
export const configSchema = z.strictObject({
  general: generalSchema.prefault({}),
  clients: clientsSchema,
  server: serverSchema.prefault({}),
  data: dataSchema,
  trainer: trainerSchema,
  algorithm: algorithmSchema,
  parameters: parametersSchema.prefault({}),
  evaluation: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
    .optional(),
  results: resultsSchema.prefault({}),
});

/** The resolved configuration: every default filled in, frozen. */
export type Config = z.output<typeof configSchema>;

/** The sections with fixed keys, by name. `[evaluation]` is apart: its keys depend on the evaluator. */
export const SECTIONS = {
  general: generalSchema,
  clients: clientsSchema,
  server: serverSchema,
  data: dataSchema,
  trainer: trainerSchema,
  algorithm: algorithmSchema,
  parameters: parametersSchema,
  results: resultsSchema,
  service: serviceSchema,
} as const;

/** Name of a section with fixed keys. `[service]` is no part of a run: it is checked with one, and not recorded. */
export type Section = keyof typeof SECTIONS;

/** Sections that a configuration cannot be without. */
export const REQUIRED_SECTIONS: readonly Section[] = ["clients", "data", "trainer", "algorithm"];
