import type { ScorerRow } from "../scorer.js";

/** How many options a row has, by its column `options` or `choices`; undefined where it does not say. */
export function optionCount(row: ScorerRow): number | undefined {
  const options = row.options ?? row.choices;
  const list = typeof options === "string" ? listIn(options) : options;
  return Array.isArray(list) && list.length >= 2 && list.length <= 26 ? list.length : undefined;
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
