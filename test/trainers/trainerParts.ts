import * as tf from "@tensorflow/tfjs-core";
import type { TrainingPlan } from "../../src/algorithms/index.js";
import { TrainingContext, type TrainingContextInit } from "../../src/context/index.js";
import type { Model } from "../../src/models/index.js";

/** A context with its defaults, changed where the test says so. */
export function contextOf(init: TrainingContextInit = {}): TrainingContext {
  return new TrainingContext(init);
}

/** A schedule of one round, changed where the test says so. */
export function planOf(change: Partial<TrainingPlan> = {}): TrainingPlan {
  return { epochs: 1, epochsBefore: 0, updatesPerEpoch: 1, ...change };
}

/** A model that gives its inputs back, without weights. */
export function modelOf(change: Partial<Model> = {}): Model {
  return {
    name: "identity",
    variables: new Map(),
    forward: (inputs) => tf.clone(inputs),
    weights: () => new Map(),
    loadWeights: () => {},
    dispose: () => {},
    ...change,
  };
}
