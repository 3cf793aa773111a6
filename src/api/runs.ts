import { z } from "zod";
import { countSchema } from "./json.js";

const cellSchema = z.union([z.number(), z.string(), z.null()]);
const cellsSchema = z.record(z.string(), cellSchema);

/** A column of the record: what is in it, and which direction is better. */
export const columnSchema = z.object({
  evaluator: z.string().nullable(),
  metric: z.string(),
  higher_is_better: z.boolean().nullable(),
  unit: z.string().nullable(),
});

export const runSummarySchema = z
  .object({
    run_id: z.string(),
    /** Of the configuration; null where `run.json` is missing or damaged. */
    name: z.string().nullable(),
    status: z.enum(["running", "completed", "failed", "interrupted"]).nullable(),
    start: z.string().nullable(),
    end: z.string().nullable(),
    rounds: z.number(),
    last_row: cellsSchema.nullable(),
  })
  .meta({ id: "RunSummary" });

export const runListSchema = z.object({ data: z.array(runSummarySchema) });

/** Columns by name and rows as lists in their order: small, and names are said once. */
export const runSchema = z
  .object({
    run_id: z.string(),
    name: z.string().nullable(),
    status: z.enum(["running", "completed", "failed", "interrupted"]).nullable(),
    start: z.string().nullable(),
    end: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    columns: z.array(z.string()),
    described: z.record(z.string(), columnSchema),
    /** Place of the first row of `rows`. */
    from: z.number(),
    /** Rows of the whole record. */
    total: z.number(),
    rows: z.array(z.array(cellSchema)),
  })
  .meta({ id: "Run" });

export const runQuerySchema = z.object({
  /** Only rows from this place on. */
  from: countSchema.default(0),
  limit: countSchema.pipe(z.int().min(1).max(10_000)).default(10_000),
  /** The newest so many rows, wherever they begin, instead of `from`. */
  last: countSchema.pipe(z.int().min(1).max(10_000)).optional(),
  /** Only these columns, by name with commas between; names that the run does not have are left out. */
  columns: z.string().min(1).optional(),
});

export const samplesQuerySchema = z.object({
  task: z.string().min(1).optional(),
  round: countSchema.optional(),
  evaluator: z.string().min(1).optional(),
  metric: z.string().min(1).optional(),
  /** Only samples that are not wholly right. */
  failures: z.stringbool().default(false),
  /** Only the others. */
  passes: z.stringbool().default(false),
  offset: countSchema.default(0),
  limit: countSchema.pipe(z.int().min(1).max(500)).default(50),
});

export const sampleFilesSchema = z.object({
  data: z.array(z.object({ round: z.number(), evaluator: z.string(), task: z.string() })),
});

export const samplesSchema = z
  .object({
    task: z.string().nullable(),
    metric: z.string().nullable(),
    metrics: z.array(z.string()),
    /** How many there are in all with these filters. */
    total: z.number(),
    offset: z.number(),
    samples: z.array(
      z.object({
        round: z.number(),
        evaluator: z.string(),
        task: z.string(),
        doc: z.union([z.number(), z.string()]),
        /** In short. */
        prompt: z.string(),
        answer: z.string(),
        gold: z.string(),
        score: z.union([z.number(), z.array(z.number()), z.null()]),
        scores: z.record(z.string(), z.unknown()),
        requests: z.array(z.unknown()),
        answers: z.array(z.unknown()),
      }),
    ),
  })
  .meta({ id: "Samples" });

export const comparisonQuerySchema = z.object({
  /** `RUN` or `RUN@ROUND`; the last round where none is given. */
  a: z.string().min(1),
  b: z.string().min(1),
  metric: z.string().min(1).optional(),
  confidence: z.coerce.number().pipe(z.number().gt(0).lt(1)).default(0.95),
});

const sideSchema = z.object({ run_id: z.string(), round: z.number() });

export const comparisonSchema = z
  .object({
    a: sideSchema,
    b: sideSchema,
    confidence: z.number(),
    samples: z.array(
      z.object({
        evaluator: z.string(),
        task: z.string(),
        metric: z.string(),
        samples: z.number(),
        questions: z.number(),
        a: z.number(),
        b: z.number(),
        difference: z.number(),
        standard_error: z.number().nullable(),
        ci_low: z.number().nullable(),
        ci_high: z.number().nullable(),
        p_value: z.number().nullable(),
      }),
    ),
    cells: z.array(z.object({ column: z.string(), a: z.number(), b: z.number(), difference: z.number() })),
    notes: z.array(z.string()),
  })
  .meta({ id: "Comparison" });

export type RunSummary = z.output<typeof runSummarySchema>;
export type Run = z.output<typeof runSchema>;
export type Samples = z.output<typeof samplesSchema>;
export type ComparisonReply = z.output<typeof comparisonSchema>;
