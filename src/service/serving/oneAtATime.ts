import type { LanguageModel } from "../../language/index.js";

/**
 * A model whose calls take turns, in the order in which they come: one that is computed here shares memory between its
 * passes, and two calls at once would be no faster than one behind the other.
 */
export function oneAtATime(model: LanguageModel): LanguageModel {
  let last: Promise<unknown> = Promise.resolve();
  const turn = <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => {
      // Who has gone away meanwhile takes nobody's time.
      signal?.throwIfAborted();
      return work();
    });
    last = mine.catch(() => {});
    return mine;
  };
  return {
    name: model.name,
    tokenizer: model.tokenizer,
    contextLength: model.contextLength,
    logLikelihood: (requests, options) => turn(options?.signal, () => model.logLikelihood(requests, options)),
    rollingLogLikelihood: (texts, options) =>
      turn(options?.signal, () => model.rollingLogLikelihood(texts, options)),
    generate: (requests, options) => turn(options?.signal, () => model.generate(requests, options)),
    forward: (rows, options) => turn(options?.signal, () => model.forward(rows, options)),
  };
}
