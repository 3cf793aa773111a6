import type { Random } from "../base/index.js";
import { drawsOf, type Initialisation, type LayerFans } from "./initialisation.js";
import type { InitialVariable } from "./variableModel.js";

/** First values of a model's layers, drawn one after the other in the order in which layers are added. */
export class LayerValues {
  readonly variables = new Map<string, InitialVariable>();
  readonly #random: Random;
  readonly #scheme: Initialisation;

  constructor(random: Random, scheme: Initialisation) {
    this.#random = random;
    this.#scheme = scheme;
  }

  /** @param filter [height, width, inputs, outputs] */
  convolution(
    name: string,
    filter: readonly [number, number, number, number],
    { bias = true }: { readonly bias?: boolean } = {},
  ): this {
    const [height, width, inputs, outputs] = filter;
    const area = height * width;
    const fans = { fanIn: area * inputs, fanOut: area * outputs, last: false };
    return this.#add(name, filter, bias, { kind: "convolution", ...fans });
  }

  /** A weight [inputs, outputs]. @param last whether it gives the model's outputs */
  dense(
    name: string,
    inputs: number,
    outputs: number,
    { last = false }: { readonly last?: boolean } = {},
  ): this {
    return this.#add(name, [inputs, outputs], true, { kind: "dense", fanIn: inputs, fanOut: outputs, last });
  }

  /** Scale 1, shift 0, running mean 0 and variance 1 of each channel. */
  batchNormalisation(name: string, channels: number): this {
    const all = (value: number) => ({
      shape: [channels],
      values: () => new Float32Array(channels).fill(value),
    });
    this.variables.set(`${name}.weight`, all(1));
    this.variables.set(`${name}.bias`, all(0));
    this.variables.set(`${name}.running_mean`, { ...all(0), statistic: true });
    this.variables.set(`${name}.running_var`, { ...all(1), statistic: true });
    return this;
  }

  #add(name: string, shape: readonly number[], hasBias: boolean, layer: LayerFans): this {
    const { weight, bias } = drawsOf(this.#scheme, layer, this.#random);
    const length = shape.reduce((product, size) => product * size, 1);
    this.variables.set(`${name}.weight`, { shape, values: () => Float32Array.from({ length }, weight) });
    const outputs = shape.at(-1)!;
    if (hasBias) {
      const values = () => Float32Array.from({ length: outputs }, bias);
      this.variables.set(`${name}.bias`, { shape: [outputs], values });
    }
    return this;
  }
}
