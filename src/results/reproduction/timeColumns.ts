/** What a manifest says of a column. */
export interface ColumnFacts {
  readonly unit: string | null;
}

/**
 * Whether a column holds a time or a rate, which is another one each time: the server's own items by their name,
 * an evaluator's metrics by their unit.
 */
export function isTime(column: string, facts: ColumnFacts | undefined): boolean {
  if (!column.startsWith("evaluation_") && column.endsWith("_time")) return true;
  return facts?.unit != null && UNIT_OF_TIME.test(facts.unit);
}

/** `s`, `milliseconds`, `tokens/s`, `rows per second`. */
const UNIT_OF_TIME = /(?:^|\/|\bper )(?:[nµum]?s|min|h|sec|(?:(?:nano|micro|milli)?second|minute|hour)s?)$/i;
