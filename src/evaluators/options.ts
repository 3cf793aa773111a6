import type { ZodType, z } from "zod";
import { ElenchusError, optionFaults } from "../base/index.js";
import { COMMON_KEYS } from "./evaluationTable.js";
import type { EvaluatorConfig, OptionsSchema } from "./evaluator.js";

/**
 * A shallow copy of a table with its options parsed by the evaluator's schema. Common keys, and options the
 * schema does not know, stay as they are.
 * @throws EVALUATION_CONFIG naming every option that the schema refuses
 */
export function parseOptions(
  table: EvaluatorConfig,
  schema: OptionsSchema | undefined,
  type: string,
): EvaluatorConfig {
  if (schema === undefined) return { ...table };
  const options = Object.fromEntries(Object.entries(table).filter(([key]) => !COMMON_KEYS.has(key)));
  const parsed = schema.safeParse(options);
  if (parsed.success) return { ...table, ...(parsed.data as EvaluatorConfig) };
  // A user's schema may come from another copy of zod, whose issues are told in its own words.
  const faults = optionFaults(parsed.error as z.ZodError, options, { schema: schema as ZodType });
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `The options of the evaluator "${type}" are not usable: ${faults.join("; ")}.`,
    { details: { type, faults } },
  );
}
