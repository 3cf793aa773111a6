import { ElenchusError, nearest } from "../base/index.js";
import type { MetricSum } from "./evaluationOutcome.js";
import { isPlainObject, jsonCopy, kindOf, NotJson } from "./jsonCopy.js";
import { describeThrown } from "./thrown.js";

/** The fields of a result after they were checked: frozen copies. */
export interface CheckedFields {
  evaluator: string;
  primaryMetric: string;
  metrics: Readonly<Record<string, number>>;
  higherIsBetter: Readonly<Record<string, boolean>>;
  metadata: Readonly<Record<string, unknown>>;
  artifacts: Readonly<Record<string, unknown>>;
  details: Readonly<Record<string, number>>;
  sums: Readonly<Record<string, Readonly<MetricSum>>>;
  standardErrors: Readonly<Record<string, number>>;
  sampled: { readonly used: number; readonly total: number } | null;
  partial: string | null;
  order: readonly string[];
}

/** On the prototype of every result, of any copy of this package. */
export const RESULT_MARK = Symbol.for("elenchus.EvaluationResult");

const FIELDS = [
  "evaluator",
  "primaryMetric",
  "metrics",
  "higherIsBetter",
  "metadata",
  "artifacts",
  "details",
  "sums",
  "standardErrors",
  "sampled",
  "partial",
  "order",
] as const;

/**
 * Reads every field once, copies it and checks the copy. Takes a plain object or a result.
 * @throws RESULT_INVALID
 */
export function checkedFields(init: unknown): CheckedFields {
  try {
    return check(init);
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    if (error instanceof NotJson) throw invalid(error.message, "expected a value that JSON can carry");
    // A getter or a proxy of the evaluator's threw.
    throw new ElenchusError("RESULT_INVALID", `The result cannot be read: ${describeThrown(error)}.`, {
      cause: error,
    });
  }
}

function check(init: unknown): CheckedFields {
  const isResult = typeof init === "object" && init !== null && RESULT_MARK in init;
  if (!isResult && !isPlainObject(init)) {
    throw invalid(
      `it is ${kindOf(init)}`,
      "expected an EvaluationResult or a plain object with its fields evaluator, primaryMetric and metrics",
    );
  }
  const given = init as Record<string, unknown>;
  if (!isResult) refuseUnknownFields(given);

  const evaluator = nonEmptyString(given.evaluator, "evaluator");
  const primaryMetric = nonEmptyString(given.primaryMetric, "primaryMetric");
  const measured = given.metrics;
  if (measured === undefined) throw invalid("metrics is missing", "expected numbers by metric name");
  const measuredEntries = entriesOf(measured, "metrics", finite);
  const metrics = record(measuredEntries);
  if (!Object.hasOwn(metrics, primaryMetric)) {
    throw invalid(
      `primaryMetric ${JSON.stringify(primaryMetric)} is missing from metrics`,
      `expected one of: ${list(Object.keys(metrics))}`,
    );
  }

  const higherIsBetter = mapped(given.higherIsBetter, "higherIsBetter", boolean);
  for (const name of Object.keys(higherIsBetter)) {
    if (!Object.hasOwn(metrics, name)) {
      throw invalid(
        `higherIsBetter has ${JSON.stringify(name)}, which is no metric`,
        `expected only: ${list(Object.keys(metrics))}`,
      );
    }
  }

  const detailEntries = entriesOf(given.details, "details", finite);
  const details = record(detailEntries);
  const sums = mapped(given.sums, "sums", metricSum);
  const standardErrors = mapped(given.standardErrors, "standardErrors", standardError);
  for (const [field, named] of [
    ["sums", sums],
    ["standardErrors", standardErrors],
  ] as const) {
    for (const name of Object.keys(named)) {
      if (!Object.hasOwn(metrics, name) && !Object.hasOwn(details, name)) {
        throw invalid(`${field} has ${JSON.stringify(name)}`, "expected names of metrics or details only");
      }
    }
  }

  return {
    evaluator,
    primaryMetric,
    metrics,
    higherIsBetter,
    metadata: mapped(given.metadata, "metadata", jsonCopy),
    artifacts: mapped(given.artifacts, "artifacts", jsonCopy),
    details,
    sums,
    standardErrors,
    sampled: sampledFrom(given.sampled),
    partial: partialFrom(given.partial),
    order: orderFrom(given.order, [...measuredEntries, ...detailEntries]),
  };
}

/** A misspelt optional field would otherwise be lost without a word. */
function refuseUnknownFields(given: Record<string, unknown>): void {
  for (const name of Object.keys(given)) {
    if ((FIELDS as readonly string[]).includes(name)) continue;
    const suggestion = nearest(name, FIELDS);
    throw invalid(
      `it has an unknown field ${JSON.stringify(name.slice(0, 100))}`,
      suggestion === undefined ? `expected only ${FIELDS.join(", ")}` : `did you mean ${suggestion}?`,
    );
  }
}

type Read<T> = (value: unknown, path: string) => T;
type Entry<T> = readonly [name: string, value: T];

/** A frozen plain object of the entries of a plain object or Map; nothing at all is an empty one. */
function mapped<T>(given: unknown, field: string, read: Read<T>): Readonly<Record<string, T>> {
  return record(entriesOf(given, field, read));
}

/** The entries of a plain object or Map, read; nothing at all has none. */
function entriesOf<T>(given: unknown, field: string, read: Read<T>): Entry<T>[] {
  if (given === undefined) return [];
  const entries: [unknown, unknown][] = isMap(given)
    ? [...given]
    : isPlainObject(given)
      ? Object.entries(given)
      : [];
  if (!isMap(given) && !isPlainObject(given)) {
    throw invalid(`${field} is ${kindOf(given)}`, "expected a plain object or a Map");
  }
  return entries.map(([name, value]) => {
    if (typeof name !== "string") throw invalid(`${field} has ${kindOf(name)} as a name`, "expected strings");
    return [name, read(value, `${field}[${JSON.stringify(name.slice(0, 100))}]`)];
  });
}

function record<T>(entries: readonly Entry<T>[]): Readonly<Record<string, T>> {
  return Object.freeze(Object.fromEntries(entries));
}

/**
 * Every name once: those of the order that was given, then the others as they come. The order is for a reader's
 * sake alone, so a name in it that nothing has is passed over.
 */
function orderFrom(given: unknown, entries: readonly Entry<unknown>[]): readonly string[] {
  const names = entries.map(([name]) => name);
  if (given === undefined) return Object.freeze([...new Set(names)]);
  if (!Array.isArray(given)) throw invalid(`order is ${kindOf(given)}`, "expected a list of names");
  const known = new Set<unknown>(names);
  return Object.freeze([...new Set([...given.filter((name) => known.has(name)), ...names])]);
}

/** A Map of any realm; `instanceof` would refuse one that came from a vm context. */
function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return Object.prototype.toString.call(value) === "[object Map]" && Symbol.iterator in (value as object);
}

function nonEmptyString(value: unknown, path: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw invalid(`${path} is ${kindOf(value)}`, "expected a non-empty string");
}

function finite(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw invalid(`${path} is ${kindOf(value)}`, "expected a finite number; leave out what does not exist");
}

function standardError(value: unknown, path: string): number {
  if (finite(value, path) >= 0) return value as number;
  throw invalid(`${path} is ${value}`, "expected 0 or more");
}

function boolean(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw invalid(`${path} is ${kindOf(value)}`, "expected true or false");
}

function metricSum(value: unknown, path: string): Readonly<MetricSum> {
  if (!isPlainObject(value)) {
    throw invalid(`${path} is ${kindOf(value)}`, "expected { numerator, denominator, transform }");
  }
  const numerator = finite(value.numerator, `${path}.numerator`);
  const denominator = finite(value.denominator, `${path}.denominator`);
  if (denominator < 0) throw invalid(`${path}.denominator is ${denominator}`, "expected 0 or more");
  const { transform } = value;
  if (transform !== "identity" && transform !== "exp") {
    throw invalid(`${path}.transform is ${kindOf(transform)}`, 'expected "identity" or "exp"');
  }
  return Object.freeze({ numerator, denominator, transform });
}

function sampledFrom(value: unknown): CheckedFields["sampled"] {
  if (value === undefined || value === null) return null;
  if (!isPlainObject(value)) throw invalid(`sampled is ${kindOf(value)}`, "expected { used, total }");
  const { used, total } = value;
  if (!Number.isSafeInteger(used) || !Number.isSafeInteger(total)) {
    throw invalid(`sampled is ${kindOf(used)} of ${kindOf(total)}`, "expected two whole numbers");
  }
  if ((used as number) < 0 || (used as number) > (total as number)) {
    throw invalid(`sampled uses ${used} of ${total}`, "expected 0 <= used <= total");
  }
  return Object.freeze({ used: used as number, total: total as number });
}

function partialFrom(value: unknown): string | null {
  return value === undefined || value === null ? null : nonEmptyString(value, "partial");
}

function list(names: readonly string[]): string {
  if (names.length === 0) return "nothing, for there are no metrics";
  const shown = names.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 100)));
  return shown.join(", ") + (names.length > 20 ? `, and ${names.length - 20} more` : "");
}

function invalid(found: string, expected: string): ElenchusError {
  return new ElenchusError("RESULT_INVALID", `The evaluation result is invalid: ${found}; ${expected}.`);
}
