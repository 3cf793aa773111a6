import type { LanguageModel } from "../../language/index.js";
import { Turns } from "./turns.js";

/**
 * A model whose calls take turns, in the order in which they come: one that is computed here shares memory between its
 * passes, and two calls at once would be no faster than one behind the other.
 */
export function oneAtATime(model: LanguageModel): LanguageModel {
  const turns = new Turns();
  return {
    name: model.name,
    tokenizer: model.tokenizer,
    contextLength: model.contextLength,
    logLikelihood: (requests, options) =>
      turns.take(options?.signal, () => model.logLikelihood(requests, options)),
    rollingLogLikelihood: (texts, options) =>
      turns.take(options?.signal, () => model.rollingLogLikelihood(texts, options)),
    generate: (requests, options) => turns.take(options?.signal, () => model.generate(requests, options)),
    forward: (rows, options) => turns.take(options?.signal, () => model.forward(rows, options)),
  };
}
