import { z } from "zod";
import { PURPOSES } from "../../api/index.js";
import { customDatasetSchema, huggingfaceDatasetSchema } from "../../tasks/index.js";

/** Rows that were given with the request lie beside the document, as rows of the storage. */
const givenRowsSchema = z.object({ type: z.literal("rows"), identifier: z.string() });

/** A data set as it lies in the storage under the kind `dataset`. */
export const datasetDocumentSchema = z.object({
  identifier: z.string(),
  purpose: z.enum(PURPOSES),
  provider_id: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  definition: z.discriminatedUnion("type", [customDatasetSchema, huggingfaceDatasetSchema, givenRowsSchema]),
  /** As it was given; null for rows. */
  uri: z.string().nullable(),
});

export type DatasetDocument = z.output<typeof datasetDocumentSchema>;

/** The owner of a data set's rows in the storage. */
export function rowsOfDataset(id: string): string {
  return `dataset/${id}`;
}

/** The stage they lie in: rows given, and rows that were added behind those of a file. */
export const GIVEN_ROWS = "rows";
