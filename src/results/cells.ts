/**
 * The text of a cell. A number is written so that it parses back to the same double, minus zero included; one
 * that is not finite, and anything that is neither number nor text, is an empty cell.
 */
export function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isFinite(value)) return "";
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The value of a cell: null when it is empty, a number when it reads as JSON's numbers do, else the text. */
export function cellValue(text: string): number | string | null {
  if (text === "") return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
