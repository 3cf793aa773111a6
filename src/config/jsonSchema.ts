import type { ZodType } from "zod";
import { type JsonSchema, jsonSchemaOf } from "../base/index.js";
import type { Catalog, CatalogEntry } from "./catalog.js";
import { NAMING_KEYS } from "./checks/catalogKinds.js";
import { shapeOf } from "./checks/checkOptions.js";
import { fieldsIn } from "./checks/checkSections.js";
import { REQUIRED_SECTIONS, SECTIONS, type Section } from "./schema/config.js";
import { evaluationSchema } from "./schema/evaluation.js";
import { loraSchema } from "./schema/lora.js";

/**
 * JSON Schema (2020-12) of the TOML, for editors: every key with its doc, unit and default, registered names
 * as choices, the options of registered evaluators, optimizers and models where they declare them.
 */
export function jsonSchema(catalog: Catalog): JsonSchema {
  const sections = Object.keys(SECTIONS) as Section[];
  const properties = Object.fromEntries(sections.map((name) => [name, sectionSchema(name, catalog)]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of an Elenchus run",
    type: "object",
    properties: { ...properties, evaluation: evaluationChoice(catalog), include: INCLUDE },
    // What an include brings need not stand in the file itself.
    anyOf: [{ required: [...REQUIRED_SECTIONS] }, { required: ["include"] }],
    additionalProperties: false,
  };
}

const INCLUDE: JsonSchema = {
  description: "Files, relative to this one, that this table is laid over.",
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
};

function sectionSchema(section: Section, catalog: Catalog): JsonSchema {
  const own = fieldSchemas(SECTIONS[section].shape);
  const added: Record<string, JsonSchema> = {};
  for (const naming of NAMING_KEYS) {
    const entries = catalog[naming.kind];
    for (const entry of entries) Object.assign(added, fieldSchemas(fieldsIn(section, entry, naming)));
    if (naming.section === section) {
      const key = own[naming.key];
      if (key)
        own[naming.key] = {
          ...key,
          ...(naming.insteadBy ? { examples: names(entries) } : { enum: names(entries) }),
        };
    }
    if (section === "parameters" && naming.parameters !== undefined) {
      const options = entries.flatMap((entry) => Object.entries(fieldSchemas(shapeOf(entry.options) ?? {})));
      own[naming.parameters] = {
        ...own[naming.parameters],
        properties: { ...Object.fromEntries(options), include: INCLUDE },
      };
    }
  }
  if (section === "parameters") {
    own.lora = { ...own.lora, properties: { ...fieldSchemas(loraSchema.shape), include: INCLUDE } };
  }
  return {
    type: "object",
    properties: { ...added, ...own, include: INCLUDE },
    additionalProperties: false,
  };
}

/** One table or a list; each takes the shape of the evaluator that its `type` names. */
function evaluationChoice(catalog: Catalog): JsonSchema {
  const common = fieldSchemas(evaluationSchema.shape);
  const table = {
    type: "object",
    properties: {
      ...common,
      type: { ...common.type, enum: names(catalog.evaluators) },
      include: INCLUDE,
    },
    allOf: catalog.evaluators.map((entry) => ({
      if: { properties: { type: { const: entry.name } }, required: ["type"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: evaluatorSchema(entry, Object.keys(common)),
    })),
  };
  return { anyOf: [table, { type: "array", items: table }] };
}

function evaluatorSchema(entry: CatalogEntry, common: readonly string[]): JsonSchema {
  const declared = Object.keys(entry.metrics ?? {});
  const options = entry.options === undefined ? {} : jsonSchemaOf(entry.options);
  const strict = options.additionalProperties === false;
  const properties = {
    ...(options.properties as Record<string, JsonSchema> | undefined),
    ...(declared.length > 0 && { primary_metric: { enum: declared } }),
  };
  const allowed = Object.fromEntries([...common, "include"].map((key) => [key, true]));
  return {
    ...(entry.description !== "" && { description: entry.description }),
    properties: strict ? { ...allowed, ...properties } : properties,
    ...(Array.isArray(options.required) && { required: options.required }),
    ...(strict && { additionalProperties: false }),
  };
}

function fieldSchemas(fields: Readonly<Record<string, ZodType>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const { $schema: _, notYet: __, ...schema } = jsonSchemaOf(field);
      return [key, schema];
    }),
  );
}

function names(entries: readonly CatalogEntry[]): string[] {
  return entries.map(({ name }) => name).sort();
}
