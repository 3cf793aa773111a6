import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configurationPage } from "../../src/config/configurationPage.js";
import { jsonSchema } from "../../src/config/index.js";
import { SECTIONS } from "../../src/config/schema/config.js";
import { evaluationSchema } from "../../src/config/schema/evaluation.js";
import { smallCatalog } from "./support/catalog.js";

type Schema = { [key: string]: Schema } & { enum?: string[]; required?: string[] };

describe("docs/configuration.md", () => {
  it("is what the schemas say; if not, run scripts/writeConfigurationPage.ts", () => {
    const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
    expect(page).toBe(configurationPage());
  });

  it("has a description of every key", () => {
    const fields = [...Object.values(SECTIONS), evaluationSchema].flatMap(({ shape }) =>
      Object.entries(shape),
    );
    const undescribed = fields.filter(([, field]) => !field.meta()?.description).map(([key]) => key);
    expect(undescribed).toEqual([]);
  });
});

describe("the JSON Schema", () => {
  const schema = jsonSchema(smallCatalog()) as Schema;

  it("has every section and key with doc, unit and default, and no others", () => {
    expect(Object.keys(schema.properties!)).toEqual([...Object.keys(SECTIONS), "evaluation", "include"]);
    expect(schema.properties!.server!.properties!.round_deadline).toEqual({
      description: "When a round closes although members have not reported.",
      unit: "s",
      default: 3600,
      type: "number",
      exclusiveMinimum: 0,
    });
    expect(schema.properties!.server!.additionalProperties).toBe(false);
  });

  it("offers the registered names", () => {
    expect(schema.properties!.data!.properties!.sampler!.enum).toEqual(["iid", "mixed"]);
    expect(schema.properties!.trainer!.properties!.optimizer!.enum).toEqual(["Adam", "SGD"]);
    expect(schema.properties!.data!.properties!.non_iid_clients).toMatchObject({ type: "integer" });
    expect(schema.properties!.parameters!.properties!.optimizer!.properties).toMatchObject({
      lr: { type: "number" },
    });
  });

  it("holds the options and metrics of every evaluator", () => {
    const [table, list] = schema.properties!.evaluation!.anyOf as unknown as Schema[];
    expect(table!.properties!.type!.enum).toEqual(["free", "scored", "undecided", "undirected"]);
    const scored = (table!.allOf as unknown as Schema[])[1]!;
    expect(scored.if).toEqual({ properties: { type: { const: "scored" } }, required: ["type"] });
    expect(scored.then).toMatchObject({
      properties: {
        top_k: { default: 5 },
        mode: { enum: ["fast", "full"] },
        primary_metric: { enum: ["score", "loss"] },
      },
      additionalProperties: false,
    });
    expect(list).toEqual({ type: "array", items: table });
  });
});
