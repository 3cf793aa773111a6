import type * as tf from "@tensorflow/tfjs-core";
import type { LayersModel } from "@tensorflow/tfjs-layers";
import type { Weights } from "../weights/index.js";
import type { Model } from "./model.js";
import { readWeights, writeWeights } from "./variableModel.js";

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
  const named = nameWeights(layersModel.layers.map((layer) => layer.weights));
  const tensors = () => new Map([...named].map(([weight, variable]) => [weight, variable.read()]));
  const trainable = [...named].filter(([, variable]) => layersModel.trainableWeights.includes(variable));
  return {
    name,
    // `read` gives the variable itself.
    variables: new Map(trainable.map(([weight, variable]) => [weight, variable.read() as tf.Variable])),
    forward: (inputs, { training }) => layersModel.apply(inputs, { training }) as tf.Tensor,
    weights: () => readWeights(tensors()),
    loadWeights: (weights: Weights) =>
      writeWeights(
        name,
        new Map(
          [...named].map(([weight, variable]) => [
            weight,
            { shape: variable.shape, assign: (value: tf.Tensor) => void variable.write(value) },
          ]),
        ),
        weights,
      ),
    dispose: () => void layersModel.dispose(),
  };
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
