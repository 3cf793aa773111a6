import type * as tf from "@tensorflow/tfjs-core";
import type { LayersModel } from "@tensorflow/tfjs-layers";
import type { Weights } from "../weights/index.js";
import { FrozenFingerprint } from "./frozenFingerprint.js";
import type { ForwardOptions, Model } from "./model.js";
import { readWeights, writeWeights } from "./variableModel.js";

type Layer = LayersModel["layers"][number];
type LayerVariable = LayersModel["weights"][number];

/**
 * Makes a model of a TensorFlow.js layers model with one input and one output. Weights that training does
 * not touch, moving averages for example, travel with the others.
 *
 * Weights are named by place (`0.kernel`, `0.bias`, `2.gamma`): the names that layers give themselves count
 * up within a process and would differ between a server and its clients. The last layer must give logits,
 * not probabilities. Initialisers and dropout draw from the global generator unless the layer is given a
 * `seed`: without one, runs are not repeatable.
 */
export function modelFromLayers(name: string, layersModel: LayersModel): Model {
  return new ModelFromLayers(name, layersModel);
}

class ModelFromLayers implements Model {
  readonly name: string;
  readonly #layersModel: LayersModel;
  readonly #variables: Map<string, tf.Variable>;
  /** Weights that travel, trained or not. */
  readonly #named: Map<string, LayerVariable>;
  readonly #frozen = new Map<string, LayerVariable>();
  readonly #fingerprint = new FrozenFingerprint();

  constructor(name: string, layersModel: LayersModel) {
    this.name = name;
    this.#layersModel = layersModel;
    this.#named = nameWeights(layersModel.layers.map((layer) => layer.weights));
    const trainable = [...this.#named].filter(([, own]) => layersModel.trainableWeights.includes(own));
    // `read` gives the variable itself.
    this.#variables = new Map(trainable.map(([weight, own]) => [weight, own.read() as tf.Variable]));
  }

  get variables(): ReadonlyMap<string, tf.Variable> {
    return this.#variables;
  }

  get frozen(): ReadonlyMap<string, tf.Tensor> {
    return tensors(this.#frozen);
  }

  forward(inputs: tf.Tensor, { training }: ForwardOptions): tf.Tensor {
    return this.#layersModel.apply(inputs, { training }) as tf.Tensor;
  }

  freeze(stays: (name: string) => boolean): void {
    for (const [weight, own] of [...this.#named]) {
      if (stays(weight)) continue;
      this.#named.delete(weight);
      this.#variables.delete(weight);
      this.#frozen.set(weight, own);
    }
    const frozen = new Set(this.#frozen.values());
    for (const layer of this.#layersModel.layers) {
      if (layer.weights.length > 0 && layer.weights.every((own) => frozen.has(own))) stopLearning(layer);
    }
  }

  weights(): Weights {
    return this.#fingerprint.beside(readWeights(tensors(this.#named)), this.frozen);
  }

  loadWeights(weights: Weights): void {
    const own = this.#fingerprint.taken(this.name, weights, this.frozen);
    const written = [...this.#named].map(
      ([weight, variable]) =>
        [
          weight,
          { shape: variable.shape, assign: (value: tf.Tensor) => void variable.write(value) },
        ] as const,
    );
    writeWeights(this.name, new Map(written), own);
  }

  dispose(): void {
    this.#layersModel.dispose();
  }
}

function tensors(named: ReadonlyMap<string, LayerVariable>): Map<string, tf.Tensor> {
  return new Map([...named].map(([weight, variable]) => [weight, variable.read()]));
}

/** Moving averages follow the batches wherever a layer is told that this is training. */
function stopLearning(layer: Layer): void {
  const call = layer.call.bind(layer);
  layer.call = (inputs, options) => call(inputs, { ...options, training: false });
}

/** Place of the layer and last part of the weight's own name; a repeated one gets a number. */
function nameWeights(layers: readonly LayerVariable[][]): Map<string, LayerVariable> {
  const named = new Map<string, LayerVariable>();
  for (const [place, weights] of layers.entries()) {
    for (const weight of weights) {
      const base = `${place}.${weight.originalName.split("/").at(-1)}`;
      let name = base;
      for (let copy = 2; named.has(name); copy++) name = `${base}_${copy}`;
      named.set(name, weight);
    }
  }
  return named;
}
