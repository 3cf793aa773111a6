import { z } from "zod";

/** A row of a data set, by column. */
export const rowSchema = z.record(z.string(), z.unknown());

/** Free facts beside a resource. */
export const metadataSchema = z.record(z.string(), z.unknown());

/** A name that a user gives a data set, a benchmark, a scoring function: data, never a path. */
export const identifierSchema = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name must not steer a terminal or a log
  .refine((name) => name === name.trim() && !/[\u0000-\u001f\u007f]/.test(name), {
    error: "a name without control characters and without white space at its ends",
  });

/** A whole number in a query string. */
export const countSchema = z.coerce.number().pipe(z.int().nonnegative());

export type Row = z.output<typeof rowSchema>;
