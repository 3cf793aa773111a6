/** What a row was asked, what was answered and what is right. Plain JSON, safe to send between processes. */
export interface RowSample {
  readonly requests: readonly unknown[];
  readonly answers: readonly unknown[];
  readonly gold?: unknown;
}

/**
 * A value of an author's as JSON can carry it: what JSON has no word for is shown as text.
 * @param value anything that `get` or `clean` gave
 */
export function plainJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" || (typeof inner === "number" && !Number.isFinite(inner))
        ? String(inner)
        : inner,
    );
    if (text !== undefined) return JSON.parse(text) as unknown;
  } catch {
    // A circle, or a toJSON that throws: its name is better than no sample.
  }
  return value === undefined ? undefined : String(value);
}
