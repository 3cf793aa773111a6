import { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { ChatTurn } from "../../tokenizers/index.js";

/** A column as text; numbers and truth values of workbooks and JSON are texts too. @throws ROW_INVALID */
export function columnText(row: TableRow, column: string): string {
  const value = Object.hasOwn(row, column) ? row[column] : undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  const found =
    value === undefined || value === null ? "is missing" : `is ${JSON.stringify(value).slice(0, 60)}`;
  throw new ElenchusError(
    "ROW_INVALID",
    `${column} ${found}: expected a text. The columns are ${Object.keys(row).join(", ") || "none"}; rename_columns_map gives a column another name.`,
  );
}

/**
 * Turns of a chat, as a list or as its JSON text, as tables have it that only know texts.
 * @throws ROW_INVALID
 */
export function columnMessages(row: TableRow, column: string): ChatTurn[] {
  const parsed = messagesSchema.safeParse(jsonOf(row[column]));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue!.path.length === 0 ? "" : ` at ${issue!.path.join(".")}`;
  throw new ElenchusError(
    "ROW_INVALID",
    `${column} is no list of messages${place}: ${issue!.message}. Expected [{"role": ..., "content": ...}], or that as JSON text.`,
  );
}

/** Content may come in parts; of those only texts are shown to a model. */
const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal("text"), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join("")),
]);

const messagesSchema = z
  .array(z.looseObject({ role: z.string().min(1), content: contentSchema }))
  .min(1)
  .transform((messages) => messages.map(({ role, content }): ChatTurn => ({ role, content })));

function jsonOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
