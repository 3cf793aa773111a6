import type { ZodType } from "zod";
import type { DatasourceFactory } from "../datasourceFactory.js";
import { csvOptions, vectorOptions } from "./tableOptions.js";

/** The sources of tables by name, with their descriptions. Naming one loads none of what reads it. */
export const tableSources: readonly [name: string, factory: DatasourceFactory, description: string][] = [
  [
    "CSV",
    ofTables(csvOptions, async (request) => (await import("./csv.js")).csv(request)),
    "A table of your own, numbers and categories, to classify or for regression",
  ],
  [
    "Purchase",
    ofTables(vectorOptions, async (request) => (await import("./vectors.js")).purchase(request)),
    "What customers bought, 600 yes or no, 100 classes",
  ],
  [
    "Texas",
    ofTables(vectorOptions, async (request) => (await import("./vectors.js")).texas(request)),
    "Hospital stays, 6,169 yes or no, 100 classes",
  ],
];

function ofTables(options: ZodType, load: DatasourceFactory): DatasourceFactory {
  const source: DatasourceFactory = (request) => load(request);
  return Object.assign(source, { options, tokens: false });
}
