import type { GenerationResponseSample, PreprocessedSample } from "../samples.js";

/** Has a model answer questions, several at a time. */
export abstract class BaseGenerator<Pre = PreprocessedSample, Gen = GenerationResponseSample> {
  /** Questions of one call: many where they are computed together, one where each is a request of its own. */
  abstract readonly batchSize: number;
  /** Calls at once. */
  abstract readonly concurrency: number;

  /**
   * Answers, in the order of the questions.
   * @param signal stops within an answer; its reason is thrown
   * @throws what the model throws; of several questions all are then asked again one by one
   */
  abstract generate(samples: readonly Pre[], signal?: AbortSignal): Promise<Gen[]>;
}
