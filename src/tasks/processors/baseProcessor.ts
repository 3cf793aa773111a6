import { ElenchusError } from "../../base/index.js";
import type { DictSample } from "../datasets/baseDataset.js";
import type { GenerationResponseSample, PreprocessedSample, ScorerInputSample } from "../samples.js";

/**
 * Turns rows into questions, and answers into what scorers see. Both work on one row at a time and give plain JSON.
 */
export abstract class BaseGeneratorProcessor<
  Sample = DictSample,
  Pre = PreprocessedSample,
  Gen = GenerationResponseSample,
  ScorerIn = ScorerInputSample,
> {
  /**
   * What the model is asked about a row.
   * @param index place of the row in its data set, for messages
   * @throws ROW_INVALID for a row that cannot be asked about; the others go on
   */
  abstract preprocessSample(sample: Sample, index: number): Pre;

  /**
   * What scorers see of an answer.
   * @throws ROW_INVALID as `preprocessSample`
   */
  abstract postprocessSample(generation: Gen, sample: Sample, index: number): ScorerIn;

  /** Questions for all rows. */
  preprocess(samples: readonly Sample[]): Pre[] {
    return samples.map((sample, index) => this.preprocessSample(sample, index));
  }

  /** @throws DATA_INVALID where there is not one answer for each row */
  postprocess(generations: readonly Gen[], samples: readonly Sample[]): ScorerIn[] {
    if (generations.length !== samples.length) {
      throw new ElenchusError(
        "DATA_INVALID",
        `There are ${generations.length} answers to ${samples.length} rows. Expected one for each, in their order.`,
      );
    }
    return generations.map((generation, index) => this.postprocessSample(generation, samples[index]!, index));
  }
}
