import { z } from "zod";
import { aggregationParams } from "../aggregation/namedAggregations.js";
import { ANSWER_COLUMNS, presentValue } from "../columns.js";
import { defineScorer } from "../defineScorer.js";
import { editDistance } from "../text/levenshtein.js";
import { TextAggregation } from "../text/textAggregation.js";

/**
 * How alike two JSON values are, 0 to 1: of objects the mean over all keys of both, of lists by place over the
 * longer one, of texts by edit distance, of numbers by relative difference; values of different kinds by edit
 * distance of their JSON with sorted keys. A key that is missing is like one that is null.
 */
export const jsonDifferenceScorer = defineScorer({
  name: "json_diff",
  description: "how alike two JSON values are, key by key and place by place; 0 to 1",
  columns: ANSWER_COLUMNS,
  params: z.strictObject({
    ...aggregationParams,
    /** Leave texts that are JSON of an object or list as texts. */
    preserve_strings: z.boolean().default(false),
  }),
  judge: (row, { preserve_strings: preserve }) => ({
    score: jsonLikeness(
      presentValue(row, "generated_answer"),
      presentValue(row, "expected_answer"),
      preserve,
    ),
  }),
  aggregation: (params) => new TextAggregation("json_diff", params),
});

/** @param preserve whether texts that hold JSON stay texts */
export function jsonLikeness(one: unknown, other: unknown, preserve: boolean): number {
  const [a, b] = preserve ? [one, other] : [structured(one), structured(other)];
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    if (keys.size === 0) return 1;
    return mean(
      [...keys].map((key) => jsonLikeness(own(a, key), own(b, key), preserve)),
      keys.size,
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const [longer, shorter] = [Math.max(a.length, b.length), Math.min(a.length, b.length)];
    if (longer === 0) return 1;
    return mean(
      a.slice(0, shorter).map((value, place) => jsonLikeness(value, b[place], preserve)),
      longer,
    );
  }
  if (isNothing(a) || isNothing(b)) return Number(isNothing(a) && isNothing(b));
  if (typeof a === "number" && typeof b === "number") return numberLikeness(a, b);
  if (typeof a === "string" && typeof b === "string") return textLikeness(a, b);
  return textLikeness(sortedJson(a), sortedJson(b));
}

function mean(values: readonly number[], over: number): number {
  return values.reduce((sum, value) => sum + value, 0) / over;
}

/** What JSON text of an object or a list holds; anything else as it is. */
function structured(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function numberLikeness(a: number, b: number): number {
  const size = Math.abs(a) + Math.abs(b);
  return size === 0 ? 1 : 1 - Math.abs(a - b) / size;
}

function textLikeness(a: string, b: string): number {
  const [one, other] = [[...a], [...b]];
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : 1 - editDistance(one, other) / longer;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    isObject(held) ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1))) : held,
  );
}
