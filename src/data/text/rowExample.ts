import { z } from "zod";
import { ElenchusError, ownValue } from "../../base/index.js";
import type { ChatTurn } from "../../tokenizers/index.js";
import type { PlacedRow, TableRow } from "./tableFile.js";
import type { TextContent, TextExample } from "./textExample.js";
import type { ExampleOptions } from "./textKeys.js";

/** A turn as rows have it; what else it holds is for the template. */
const turnSchema = z
  .looseObject({ role: z.string().min(1), content: z.string().nullish() })
  .transform(({ role, content, ...metadata }): ChatTurn => {
    const given = Object.entries(metadata).filter(([, value]) => value !== null && value !== undefined);
    return {
      role,
      content: content ?? "",
      ...(given.length > 0 && { metadata: Object.fromEntries(given) }),
    };
  });
const turnsSchema = z.array(turnSchema).min(1);

/**
 * What a row of a table says, by `preprocessing_mode`.
 * @throws DATA_INVALID naming the place and the column that is missing or of another form
 */
export function rowExample({ row, place }: PlacedRow, options: ExampleOptions): TextExample {
  const { owner_field } = options;
  const owner = owner_field === undefined ? undefined : ownerOf(row, place, owner_field);
  return { content: contentOf(row, place, options), place, ...(owner !== undefined && { owner }) };
}

/** Columns that `rowExample` reads. */
export function columnsRead(options: ExampleOptions): string[] {
  const { preprocessing_mode: mode, owner_field } = options;
  const own = {
    chat_sft: [options.messages_field],
    prompt_completion: [options.prompt_field, options.completion_field],
    text: [options.text_field],
  }[mode];
  return [...own, ...(owner_field === undefined ? [] : [owner_field])];
}

function contentOf(row: TableRow, place: string, options: ExampleOptions): TextContent {
  const text = (key: TextKey) => textOf(row, place, key, options[key]);
  if (options.preprocessing_mode === "text") return { kind: "text", text: text("text_field") };
  if (options.preprocessing_mode === "prompt_completion") {
    return { kind: "completion", prompt: text("prompt_field"), completion: text("completion_field") };
  }
  const column = options.messages_field;
  const parsed = turnsSchema.safeParse(ownValue(row, column));
  if (parsed.success) return { kind: "chat", turns: parsed.data };
  const [issue] = parsed.error.issues;
  const where = [column, ...issue!.path].join(".");
  throw faulty(
    row,
    place,
    "messages_field",
    column,
    `${where}: ${issue!.message}`,
    "a list of turns with role and content",
  );
}

type TextKey = "text_field" | "prompt_field" | "completion_field";

function textOf(row: TableRow, place: string, key: string, column: string): string {
  const value = ownValue(row, column);
  if (typeof value === "string") return value;
  throw faulty(row, place, key, column, `it is ${shown(value)}`, "a text");
}

function ownerOf(row: TableRow, place: string, column: string): string {
  const value = ownValue(row, column);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw faulty(row, place, "owner_field", column, `it is ${shown(value)}`, "a text or a number");
}

function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part))?.slice(0, 60) ??
    "missing"
  );
}

function faulty(row: TableRow, place: string, key: string, column: string, found: string, expected: string) {
  const mend = Object.hasOwn(row, column)
    ? "Correct the row"
    : `The row has the columns ${Object.keys(row).join(", ")}; name another one in data.${key}, or change data.preprocessing_mode`;
  return new ElenchusError(
    "DATA_INVALID",
    `${place}: the column ${JSON.stringify(column)} cannot be used: ${found}. Expected ${expected}. ${mend}.`,
    { details: { path: ["data", key] } },
  );
}
