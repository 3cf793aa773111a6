import { z } from "zod";
import type { Random } from "../base/index.js";

/** Ways to draw the first weights, by the names that `parameters.model.initialization` may have. */
export const INITIALISATIONS = [
  "torch",
  "torchvision",
  "he_glorot",
  "he_normal",
  "he_uniform",
  "kaiming_normal",
  "kaiming_uniform",
  "xavier_normal",
  "xavier_uniform",
  "glorot_normal",
  "glorot_uniform",
] as const;

export type Initialisation = (typeof INITIALISATIONS)[number];

/** The option of every model that begins from weights of its own. */
export function initialisation(byDefault: Initialisation) {
  return z.enum(INITIALISATIONS).default(byDefault).meta({
    description:
      "How the first weights are drawn: PyTorch's way, torchvision's, or by He (= Kaiming) or Xavier (= Glorot).",
  });
}

/** A layer, as far as its first weights depend on it. */
export interface LayerFans {
  readonly kind: "convolution" | "dense";
  /** Inputs that reach one output. */
  readonly fanIn: number;
  /** Outputs that one input reaches. */
  readonly fanOut: number;
  /** Whether it is the model's last. */
  readonly last: boolean;
}

/** Draws one number of a weight or a bias. */
export interface Draws {
  readonly weight: () => number;
  readonly bias: () => number;
}

/**
 * How the numbers of a layer are drawn, for layers before a ReLU:
 * - `he_normal`, `kaiming_normal`: normal with variance 2 / fan-in; `_uniform`: uniform with the same variance, within
 *   sqrt(6 / fan-in) (He et al. 2015, arXiv:1502.01852);
 * - `xavier_normal`, `glorot_normal`: variance 2 / (fan-in + fan-out); `_uniform`: within sqrt(6 / (fan-in + fan-out))
 *   (Glorot and Bengio 2010);
 * - `he_glorot`: `he_normal`, the last layer `glorot_uniform`;
 * - `torch`: weights and biases uniform within 1 / sqrt(fan-in), as PyTorch's `Linear` and `Conv2d` begin;
 * - `torchvision`: convolutions normal with variance 2 / fan-out, as torchvision's ResNet begins; dense as `torch`.
 *
 * Biases are zero but with `torch`.
 */
export function drawsOf(scheme: Initialisation, layer: LayerFans, random: Random): Draws {
  const { fanIn, fanOut } = layer;
  const normal = (variance: number) => () => random.normal() * Math.sqrt(variance);
  const uniform = (variance: number) => () => (2 * random.next() - 1) * Math.sqrt(3 * variance);
  const bias = () => 0;
  switch (scheme) {
    case "he_normal":
    case "kaiming_normal":
      return { weight: normal(2 / fanIn), bias };
    case "he_uniform":
    case "kaiming_uniform":
      return { weight: uniform(2 / fanIn), bias };
    case "xavier_normal":
    case "glorot_normal":
      return { weight: normal(2 / (fanIn + fanOut)), bias };
    case "xavier_uniform":
    case "glorot_uniform":
      return { weight: uniform(2 / (fanIn + fanOut)), bias };
    case "he_glorot":
      return drawsOf(layer.last ? "glorot_uniform" : "he_normal", layer, random);
    case "torchvision":
      return layer.kind === "dense" ? drawsOf("torch", layer, random) : { weight: normal(2 / fanOut), bias };
    case "torch":
      return { weight: uniform(1 / (3 * fanIn)), bias: uniform(1 / (3 * fanIn)) };
  }
}
