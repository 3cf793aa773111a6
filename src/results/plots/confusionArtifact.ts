import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ElenchusError, messageOf, namesIn } from "../../base/index.js";
import type { RecordedRun } from "../recordedRuns.js";

/** How often each class was taken for each, in one round of a run. */
export interface ConfusionCounts {
  readonly round: number;
  readonly evaluator: string;
  /** `counts[true class][predicted class]`, whole numbers. */
  readonly counts: readonly (readonly number[])[];
  readonly classNames?: readonly string[] | undefined;
}

const artifactSchema = z.object({
  counts: z
    .array(z.array(z.number().nonnegative()))
    .min(1)
    .refine((rows) => rows.every(({ length }) => length === rows.length), "a row for each column"),
  class_names: z.array(z.string()).optional(),
});
const documentSchema = z.object({
  round: z.int(),
  name: z.string(),
  result: z
    .object({ artifacts: z.object({ confusion_matrix: artifactSchema.optional() }).loose() })
    .loose()
    .nullable(),
});

/** The confusion matrices that a run's evaluators handed over, by round and evaluator. */
export async function confusionMatrices({ paths }: RecordedRun): Promise<ConfusionCounts[]> {
  const found: ConfusionCounts[] = [];
  for (const file of await namesIn(paths.evaluations)) {
    if (!file.endsWith(".json")) continue;
    const path = join(paths.evaluations, file);
    const text = await readFile(path, "utf8");
    // Answers of language models may be long, and most evaluators have no matrix.
    if (!text.includes('"confusion_matrix"')) continue;
    const { round, name, result } = parsed(text, path);
    const matrix = result?.artifacts.confusion_matrix;
    if (matrix === undefined) continue;
    found.push({ round, evaluator: name, counts: matrix.counts, classNames: matrix.class_names });
  }
  return found.sort((a, b) => a.round - b.round || (a.evaluator < b.evaluator ? -1 : 1));
}

function parsed(text: string, path: string): z.output<typeof documentSchema> {
  try {
    return documentSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `${path} does not hold a confusion matrix as it should: ${messageOf(error)}. Expected result.artifacts.confusion_matrix.counts, a row of numbers for each true class.`,
      { cause: error, details: { file: path } },
    );
  }
}
