import type { Row } from "../../api/json.js";

/**
 * Rows that somebody has typed or pasted: a JSON array of objects, or an object on each line.
 * @throws Error that names the line
 */
export function parseRows(text: string): Row[] {
  const whole = text.trim();
  if (whole === "")
    throw new Error("There are no rows. Give an object on each line, or a JSON array of objects.");
  if (whole.startsWith("[")) {
    const rows = parsed(whole, "The array");
    if (!Array.isArray(rows)) throw new Error("Expected an array of objects.");
    return rows.map((row, place) => object(row, `Element ${place}`));
  }
  return whole
    .split(/\r?\n/)
    .map((line, place) => ({ line: line.trim(), name: `Line ${place + 1}` }))
    .filter(({ line }) => line !== "")
    .map(({ line, name }) => object(parsed(line, name), name));
}

/** Params of a scorer: an object, or nothing. @throws Error */
export function parseParams(text: string): Row | null {
  return text.trim() === "" ? null : object(parsed(text, "The params"), "The params");
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function object(value: unknown, name: string): Row {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row;
  throw new Error(`${name}: expected an object like {"input_query": "…", "expected_answer": "…"}.`);
}
