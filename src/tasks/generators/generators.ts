import { type Registry, sharedRegistry } from "../../base/index.js";
import type { LanguageModel } from "../../language/index.js";
import type { BaseGenerator } from "./baseGenerator.js";
import { type GenerationPace, InferenceGenerator } from "./inferenceGenerator.js";
import { type SamplingParams, samplingSettings } from "./samplingParams.js";

/** What a generator is made for. */
export interface GeneratorRequest {
  readonly model: LanguageModel;
  readonly sampling: SamplingParams;
  readonly pace?: Partial<GenerationPace> | undefined;
}

/** Makes a generator. */
export type GeneratorFactory = (request: GeneratorRequest) => BaseGenerator;

/** The generators of this process, by name. */
export const generators: Registry<GeneratorFactory> = sharedRegistry<GeneratorFactory>(
  "generator",
  (registry) => {
    registry.register(
      "inference",
      ({ model, sampling, pace }) => new InferenceGenerator(model, samplingSettings(sampling), pace),
      { description: "Asks the model for an answer to each question" },
    );
  },
);
