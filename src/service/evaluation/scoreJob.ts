import { z } from "zod";
import type { ScorerRow } from "../../scoring/index.js";
import {
  BaseDataset,
  BaseGenerator,
  BaseGeneratorProcessor,
  type DictSample,
  type PipelineResult,
  type PipelineSurroundings,
  type RowLimit,
  type RowSource,
  runPipeline,
} from "../../tasks/index.js";
import { scorerOf } from "../scoring/scoringFunctions.js";
import { chosenScorerSchema } from "./evalJob.js";

/** What a job of kind `score` is asked for: rows of a data set, or the answers that another job has stored. */
export const scoreParamsSchema = z.object({
  source: z.discriminatedUnion("type", [
    z.object({ type: z.literal("dataset"), dataset: z.string() }),
    z.object({ type: z.literal("job"), job: z.string() }),
  ]),
  row_limit: z.int().positive().nullable(),
  row_selection: z.enum(["first", "sample"]),
  row_seed: z.int(),
  scorers: z.array(chosenScorerSchema).min(1),
});

export type ScoreParams = z.output<typeof scoreParamsSchema>;

/** Judges rows that have their answers: the pipeline of an evaluation whose middle does nothing. */
export async function runScoring(
  given: ScoreParams,
  rows: BaseDataset<DictSample>,
  surroundings: PipelineSurroundings,
): Promise<PipelineResult> {
  const limit: RowLimit | undefined =
    given.row_limit === null
      ? undefined
      : { rows: given.row_limit, choose: given.row_selection, seed: given.row_seed };
  return await runPipeline(
    {
      dataset: rows,
      limit,
      processor: new PreparedRows(),
      generator: new NothingToAsk(),
      scorers: given.scorers.map(scorerOf),
    },
    surroundings,
  );
}

/** Rows of a stage that another evaluation has stored, in the order of their places there. */
export class StageDataset extends BaseDataset<DictSample> {
  readonly #rows: () => AsyncIterable<{ readonly index: number; readonly row: unknown }>;

  constructor(id: string, rows: () => AsyncIterable<{ readonly index: number; readonly row: unknown }>) {
    super(id);
    this.#rows = rows;
  }

  protected source(): RowSource<DictSample> {
    const rows = this.#rows;
    return {
      async *rows() {
        for await (const { row } of rows()) yield { data: row as DictSample["data"] };
      },
    };
  }
}

class PreparedRows extends BaseGeneratorProcessor<DictSample, null, null, ScorerRow> {
  preprocessSample(): null {
    return null;
  }

  postprocessSample(_: null, { data }: DictSample): ScorerRow {
    return data as ScorerRow;
  }
}

class NothingToAsk extends BaseGenerator<null, null> {
  readonly batchSize = 256;
  readonly concurrency = 1;

  async generate(samples: readonly null[]): Promise<null[]> {
    return samples.map(() => null);
  }
}
