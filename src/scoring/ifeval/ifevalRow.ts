import { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type { InstructionRequest } from "./checkInstructions.js";

/** The columns a row of IFEval must have. */
export const IFEVAL_COLUMNS = ["instruction_id_list", "kwargs", "generated_answer"] as const;

/**
 * A row of IFEval, from any kind of table.
 * @throws ROW_INVALID naming each column that is missing or of another kind
 */
export function ifevalRequest(row: Readonly<Record<string, unknown>>): InstructionRequest {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => {
      const [column, ...inside] = path.map(String);
      const absent = inside.length === 0 && column !== undefined && row[column] == null;
      return `${[column, ...inside].join(".")}${absent ? " is missing" : ""}: ${message}`;
    });
    throw new ElenchusError("ROW_INVALID", `${faults.join("; ")}.`);
  }
  const { prompt, instruction_id_list: instructionIdList, kwargs, generated_answer: response } = parsed.data;
  return { ...(typeof prompt === "string" && { prompt }), instructionIdList, kwargs, response };
}

/** Lists are JSON text where a table has only text, as CSV does. */
function list<S extends z.ZodType>(entry: S, expected: string) {
  return z.preprocess(
    (value) => (typeof value === "string" ? parsedJson(value) : value),
    z.array(entry, `expected ${expected}, or JSON text of one`),
  );
}

const rowSchema = z.object({
  prompt: z.unknown().optional(),
  instruction_id_list: list(z.string("expected a text"), "a list of instruction ids"),
  kwargs: list(
    z.record(z.string(), z.unknown(), "expected an object").nullable(),
    "a list of objects, one for each instruction",
  ),
  generated_answer: z.string("expected a text"),
});

/** Text that is no JSON stays text, and is then refused as such. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
