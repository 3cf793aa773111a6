import type { ZodType, z } from "zod";
import { ElenchusError, optionFaults } from "../../base/index.js";

/**
 * Parses a part of a request.
 * @param part how a user knows it: "the body", "the query"
 * @throws REQUEST_INVALID with every fault
 */
export function parsed<S extends ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = optionFaults(result.error, value);
  const [first] = result.error.issues;
  throw new ElenchusError(
    "REQUEST_INVALID",
    `The request cannot be understood: ${part}: ${faults.join("; ")}.`,
    {
      details: { faults, param: first === undefined ? null : first.path.join(".") },
    },
  );
}
