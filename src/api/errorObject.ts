import { z } from "zod";

/** What kind of fault an error is, as clients of OpenAI's protocol sort them. */
export const ERROR_TYPES = [
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "conflict_error",
  "rate_limit_error",
  "timeout_error",
  "api_error",
] as const;

export const errorFactsSchema = z.object({
  /** Of the catalogue: `docs/errors.md`. */
  code: z.string(),
  message: z.string(),
  type: z.enum(ERROR_TYPES),
  /** The field that is at fault, where it is one. */
  param: z.string().nullable(),
  /** Every fault of a request that could not be understood. */
  faults: z.array(z.string()).optional(),
});

/** The one shape of an error, whatever the route. */
export const errorObjectSchema = z.object({ error: errorFactsSchema }).meta({ id: "Error" });

export type ErrorFacts = z.output<typeof errorFactsSchema>;
export type ErrorObject = z.output<typeof errorObjectSchema>;
