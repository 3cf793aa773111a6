import { ElenchusError } from "../../base/index.js";
import type { ScorerRow } from "../scorer.js";

/** Other names that templates have for the usual columns. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  question: "input_query",
  answer: "generated_answer",
};
/** Columns that a row must have where the template names them; any other name may be a brace of the text itself. */
const USUAL = new Set(["input_query", "expected_answer", "generated_answer", "context"]);

/**
 * Puts a row's values into the slots of a template: `{column}`, and `{question}` and `{answer}` for `input_query` and
 * `generated_answer`. Only the template is read for slots, never what was put in; braces around anything that is no
 * column stay as they are, and `{{column}}` writes `{column}`.
 * @throws ROW_INVALID for a slot whose column the row lacks
 */
export function filledTemplate(template: string, row: ScorerRow): string {
  return template.replace(SLOT, (whole, escaped: string | undefined, slot: string | undefined) => {
    const name = (escaped ?? slot)!;
    const column = columnOf(name, row);
    if (column === undefined) return whole;
    if (escaped !== undefined) return `{${name}}`;
    const value = row[column];
    if (value === undefined || value === null) {
      throw new ElenchusError(
        "ROW_INVALID",
        `${column} is missing: expected a value, as the prompt of the judge has the slot {${name}}.`,
      );
    }
    return typeof value === "string" ? value : shown(value);
  });
}

const SLOT = /\{\{(\w+)\}\}|\{(\w+)\}/g;

function columnOf(name: string, row: ScorerRow): string | undefined {
  if (Object.hasOwn(row, name)) return name;
  const column = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : name;
  return USUAL.has(column) ? column : undefined;
}

/** Several accepted answers, one after the other; else JSON. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join("\n");
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
