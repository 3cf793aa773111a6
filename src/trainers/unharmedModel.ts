import type { Model } from "../models/index.js";
import { type Weights, weightsDigest } from "../weights/index.js";

/** A model that is handed to code which may do anything to it. */
export interface LentModel {
  /** The model as it stands. */
  current(): Promise<Model>;
  /** Another one in the place of a broken one; undefined where that is not ours to make. */
  renewed(broken: Model): Promise<Model | undefined>;
}

/** A model as it was, and what its weights hash to. */
export interface UnharmedModel {
  anew(): Promise<Model>;
  /** Of the weights that `anew` gives, taken once. @throws RangeError before its first call */
  digest(): string;
}

/**
 * Gives, by `anew`, the model with the weights that it had at the first call, whatever was done to it since:
 * they are loaded again, and a model that was freed is made anew. One that cannot be made anew is given as it is.
 * It rejects where a new model cannot be made.
 */
export function unharmedModel(lent: LentModel): UnharmedModel {
  let weights: Weights | undefined;
  let digest: string | undefined;
  return {
    async anew() {
      const model = await lent.current();
      if (weights === undefined) {
        weights = model.weights();
        return model;
      }
      if (takes(model, weights)) return model;
      const renewed = await lent.renewed(model);
      renewed?.loadWeights(weights);
      return renewed ?? model;
    },
    digest() {
      if (weights === undefined) throw new RangeError("the model has not been asked for yet");
      digest ??= weightsDigest(weights);
      return digest;
    },
  };
}

/** True when a weight of the model was freed: nothing can be computed with it any more. */
export function isFreed({ variables, frozen }: Model): boolean {
  return [...variables.values(), ...(frozen?.values() ?? [])].some((weight) => weight.isDisposed);
}

/** Frees what is left of a model; one that was freed before may refuse. */
export function freeRest(model: Model | undefined): void {
  try {
    model?.dispose();
  } catch {
    // There is nothing more to free.
  }
}

function takes(model: Model, weights: Weights): boolean {
  // A freed variable takes a value without a word, and is not alive for it.
  if (isFreed(model)) return false;
  try {
    model.loadWeights(weights);
    return true;
  } catch {
    return false;
  }
}
