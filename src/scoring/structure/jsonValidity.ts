import { z } from "zod";
import { aggregationParams, NamedAggregations } from "../aggregation/namedAggregations.js";
import { textOf, unfit } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import type { ScorerRow } from "../scorer.js";

/**
 * Whether the answer is JSON: an object or a list, unless `scalars` lets numbers, texts and the like pass too; code
 * fences around it are taken away where `fences` says so. With a JSON Schema, in the param or the row's column
 * `schema`, whether it fits it.
 */
export const jsonValidityScorer = defineScorer({
  name: "json_validity",
  description: "1 where the answer is JSON, an object or a list; with a JSON Schema, where it fits",
  columns: ["generated_answer"],
  params: z.strictObject({
    ...aggregationParams,
    schema: z.record(z.string(), z.unknown()).optional(),
    scalars: z.boolean().default(false),
    fences: z.boolean().default(false),
  }),
  begin(params) {
    const shared = params.schema === undefined ? undefined : checker(params.schema);
    return {
      judge(row) {
        const text = textOf(row, "generated_answer");
        const own = rowSchema(row);
        const read = parsed(params.fences ? unfenced(text) : text);
        if ("fault" in read) return { score: 0, feedback: read.fault };
        const check = own ?? shared;
        if (check !== undefined) return check(read.value);
        const structured = typeof read.value === "object" && read.value !== null;
        return { score: Number(structured || params.scalars) };
      },
      aggregation: new NamedAggregations(params, ["accuracy"]),
    };
  },
});

type Check = (value: unknown) => { score: number; feedback?: string };

function rowSchema({ schema }: ScorerRow): Check | undefined {
  if (schema === undefined || schema === null || schema === "") return undefined;
  const read = typeof schema === "string" ? parsed(schema) : { value: schema };
  if ("fault" in read || typeof read.value !== "object" || read.value === null) {
    throw unfit("schema", schema, "a JSON Schema");
  }
  return checker(read.value as Record<string, unknown>);
}

/** @throws for a schema that is none, naming what is wrong with it */
function checker(schema: Record<string, unknown>): Check {
  const known = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return (value) => {
    const { success, error } = known.safeParse(value);
    if (success) return { score: 1 };
    const [issue] = error.issues;
    return { score: 0, feedback: `${issue?.path.join(".") || "the whole"}: ${issue?.message}` };
  };
}

function parsed(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** What stands between the first pair of code fences, else the text. */
function unfenced(text: string): string {
  return /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(text)?.[1] ?? text;
}
