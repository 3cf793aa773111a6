import { z } from "zod";
import { fetchKeys } from "../files/sourceFile.js";

/** A column by its name, or by its place from 0; from the end where it is negative. */
const column = z.union([z.string().min(1), z.int()], {
  error: "expected the name of a column or its place from 0, from the end where it is negative",
});
export type ColumnName = z.output<typeof column>;

const columns = z.array(column).min(1);

/** Keys of `[data]` that `CSV` reads. */
export const csvOptions = z
  .looseObject({
    train_path: z.string().min(1).meta({
      description: "The table, under `data_path`: CSV, or TSV by the end of its name, perhaps with .gz.",
    }),
    test_path: z.string().min(1).optional().meta({
      description: "A table to test on; when absent rows drawn with `random_seed` are held out.",
    }),
    validation_fraction: z.number().gt(0).lt(1).default(0.2).meta({
      description: "Share of the rows that is held out where `test_path` is absent.",
    }),
    header: z.boolean().default(true).meta({ description: "Whether the first line names the columns." }),
    delimiter: z.string().length(1).optional().meta({
      description: "What stands between values; a comma, or a tab in `.tsv`, when absent.",
    }),
    label: column.default(-1).meta({
      description: "The column to predict, by name or place; the last when absent.",
    }),
    label_type: z.enum(["class", "number"]).default("class").meta({
      description: "Whether labels are classes or, for regression, numbers.",
    }),
    features: columns.optional().meta({ description: "Columns to learn from; all others when absent." }),
    ignore: columns.optional().meta({ description: "Columns to leave out." }),
    categorical: columns.optional().meta({
      description: "Columns whose numbers name categories; columns of texts always do.",
    }),
    missing: z
      .array(z.string())
      .default(["", "?", "NA", "N/A", "NaN", "nan", "null"])
      .meta({ description: "What stands for a value that is missing." }),
    missing_values: z.enum(["impute", "drop", "error"]).default("impute").meta({
      description:
        "What becomes of one: the mean of the training rows (no category, where those are), its row left out, or an error.",
    }),
    standardise: z.boolean().default(true).meta({
      description: "Whether numeric columns get mean 0 and deviation 1 on the training rows.",
    }),
    owner_field: column.optional().meta({
      description: "Column that says whose a row is, for the sampler `natural`; nothing is learnt from it.",
    }),
    modalities: z.record(z.string().min(1), columns).optional().meta({
      description:
        "Groups of columns by name, which clients may lack with the modality samplers; together all that is learnt from.",
    }),
  })
  .superRefine(({ features, ignore }, context) => {
    if (features !== undefined && ignore !== undefined) {
      context.addIssue({ code: "custom", path: ["ignore"], message: "expected none beside data.features" });
    }
  });
export type CsvOptions = z.output<typeof csvOptions>;

const rows = (purpose: string) =>
  z
    .int()
    .positive()
    .default(20_000)
    .meta({ description: `Rows to ${purpose} on, of the shuffled data.`, unit: "rows" });

/** Keys of `[data]` that `Purchase` and `Texas` read. */
export const vectorOptions = z.looseObject({
  ...fetchKeys,
  train_rows: rows("train"),
  test_rows: rows("test"),
});
