import { type ZodType, z } from "zod";
import { algorithmCatalog, serverCatalog } from "../algorithms/index.js";
import type { Catalog, CatalogEntry } from "../config/index.js";
import { datasourceCatalog, samplerCatalog } from "../data/index.js";
import { type EvaluatorEntry, type OptionsSchema, registry } from "../evaluators/index.js";
import { modelCatalog } from "../models/index.js";
import { processorCatalog } from "../processors/index.js";
import { LOGGED_ITEMS } from "../server/index.js";
import { strategyCatalog, trainerCatalog } from "../trainers/index.js";

/** All registered names with what is known of them, the user's own included when their modules are loaded. */
export function buildCatalog(): Catalog {
  return {
    evaluators: registry.entries().map(evaluatorEntry),
    datasources: datasourceCatalog(),
    samplers: samplerCatalog(),
    models: modelCatalog(),
    algorithms: algorithmCatalog(),
    trainers: trainerCatalog(),
    servers: serverCatalog(),
    clients: [{ name: "simple", description: "Trains for one logical client after another" }],
    ...strategyCatalog(),
    processors: processorCatalog(),
    resultItems: LOGGED_ITEMS.map((name) => ({ name, description: "" })),
  };
}

function evaluatorEntry(entry: EvaluatorEntry): CatalogEntry {
  const { name, description, options, metrics, primaryMetric, tokens, heeds } = entry;
  return {
    name,
    description,
    ...(options && { options: zodSchema(options) }),
    ...(metrics && { metrics }),
    ...(primaryMetric !== undefined && { primaryMetric }),
    ...(tokens !== undefined && { tokens }),
    ...(heeds !== undefined && { heeds }),
  };
}

/** A schema as zod knows it; one of another copy of zod is asked and its issues passed on. */
function zodSchema(schema: OptionsSchema): ZodType {
  if (schema instanceof z.ZodType) return schema;
  return z.unknown().transform((value, context) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      context.addIssue({ code: "custom", path: [...path], message });
    }
    return z.NEVER;
  });
}
