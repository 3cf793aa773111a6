import type { GenerationSettings, LanguageModel } from "../../language/index.js";
import type { GenerationResponseSample, PreprocessedSample } from "../samples.js";
import { BaseGenerator } from "./baseGenerator.js";

/** How much is asked at a time. */
export interface GenerationPace {
  /** Questions of one call. */
  readonly batchSize: number;
  readonly concurrency: number;
}

/** A model that is computed here reads many rows at once; a server is asked for several answers at a time. */
export function usualPace(model: LanguageModel, concurrency?: number): GenerationPace {
  const here = model.tokenizer !== undefined;
  return here
    ? { batchSize: concurrency ?? 32, concurrency: 1 }
    : { batchSize: 1, concurrency: concurrency ?? 4 };
}

/** Asks a language model, with the settings it is given for all rows. */
export class InferenceGenerator extends BaseGenerator {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly #model: LanguageModel;
  readonly #settings: GenerationSettings;

  constructor(model: LanguageModel, settings: GenerationSettings = {}, pace: Partial<GenerationPace> = {}) {
    super();
    const usual = usualPace(model);
    this.batchSize = pace.batchSize ?? usual.batchSize;
    this.concurrency = pace.concurrency ?? usual.concurrency;
    this.#model = model;
    this.#settings = settings;
  }

  async generate(
    samples: readonly PreprocessedSample[],
    signal?: AbortSignal,
  ): Promise<GenerationResponseSample[]> {
    const requests = samples.map(({ generation_input: input }) => ({
      prompt: "messages" in input ? input.messages : input.prompt,
    }));
    const answers = await this.#model.generate(requests, { ...this.#settings, signal });
    return answers.map(({ text, finish }) => ({ generation_output: { completion_message: text, finish } }));
  }
}
