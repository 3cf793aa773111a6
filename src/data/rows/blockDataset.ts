import { ElenchusError } from "../../base/index.js";
import type { Batch, Dataset, Modality, RowGroups } from "../dataset.js";
import type { RowBlock } from "./rowBlock.js";

/** How stored bytes become inputs: byte b of channel c gives (b / 255 - mean[c]) / deviation[c]. */
export interface ByteScale {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** What is known of rows beside their numbers. */
export interface RowFacts {
  /** Shape of one input; its last size is that of the channels. */
  readonly inputShape: readonly number[];
  /** 0 for regression. */
  readonly classes: number;
  /** Class indices, or for regression any numbers. */
  readonly labels: Int32Array | Float32Array;
  /** Of bytes; absent: a byte is its own value. */
  readonly scale?: ByteScale | undefined;
  readonly groups?: RowGroups | undefined;
  readonly modalities?: readonly Modality[] | undefined;
  readonly classNames?: readonly string[] | undefined;
}

/** Rows that are stored in their own form, bytes or numbers, and become inputs batch by batch. */
export class BlockDataset implements Dataset {
  readonly length: number;
  readonly inputShape: readonly number[];
  readonly classes: number;
  readonly labels: Int32Array | Float32Array;
  readonly groups?: RowGroups;
  readonly modalities?: readonly Modality[];
  readonly classNames?: readonly string[];
  readonly blank?: readonly number[];
  readonly #block: RowBlock;
  /** Per channel the input that each byte gives. */
  readonly #inputs: Float32Array;

  /** @throws DATA_INVALID naming the first thing that does not fit */
  constructor(block: RowBlock, facts: RowFacts) {
    const { inputShape, classes, labels, groups, modalities, classNames } = facts;
    this.#block = block;
    this.length = block.length;
    this.inputShape = inputShape;
    this.classes = classes;
    this.labels = labels;
    if (groups) this.groups = groups;
    if (modalities) this.modalities = modalities;
    if (classNames) this.classNames = classNames;
    this.#inputs = inputsOfBytes(inputShape.at(-1) ?? 1, facts.scale);
    if (facts.scale) this.blank = [...this.#inputs].filter((_, place) => place % BYTES === 0);
    checkFit(block, facts);
  }

  /** @throws RangeError for an index outside the rows */
  batch(indices: ArrayLike<number>): Batch {
    const { width } = this.#block;
    const inputs = new Float32Array(indices.length * width);
    const labels =
      this.labels instanceof Int32Array ? new Int32Array(indices.length) : new Float32Array(indices.length);
    for (let place = 0; place < indices.length; place++) {
      const index = indices[place]!;
      if (!Number.isInteger(index) || index < 0 || index >= this.length) {
        throw new RangeError(`row ${index} is asked for, but the rows are 0 to ${this.length - 1}`);
      }
      const row = this.#block.row(index);
      if (row instanceof Float32Array) inputs.set(row, place * width);
      else this.#fill(inputs, place * width, row);
      labels[place] = this.labels[index]!;
    }
    return { inputs, inputShape: this.inputShape, labels, length: indices.length };
  }

  #fill(inputs: Float32Array, start: number, row: Uint8Array): void {
    const table = this.#inputs;
    const channels = table.length / BYTES;
    for (let channel = 0; channel < channels; channel++) {
      const first = channel * BYTES;
      for (let place = channel; place < row.length; place += channels) {
        inputs[start + place] = table[first + row[place]!]!;
      }
    }
  }
}

const BYTES = 256;

/** In single precision at every step, as PyTorch's `ToTensor` and `Normalize` compute it. */
function inputsOfBytes(channels: number, scale: ByteScale | undefined): Float32Array {
  if (scale === undefined) return Float32Array.from({ length: BYTES }, (_, byte) => byte);
  return Float32Array.from({ length: channels * BYTES }, (_, place) => {
    const channel = Math.floor(place / BYTES);
    const mean = Math.fround(scale.mean[channel] ?? 0);
    const deviation = Math.fround(scale.deviation[channel] ?? 1);
    return Math.fround(Math.fround(Math.fround((place % BYTES) / 255) - mean) / deviation);
  });
}

function checkFit(block: RowBlock, { inputShape, classes, labels }: RowFacts): void {
  const width = inputShape.reduce((product, size) => product * size, 1);
  const fault = (found: string) =>
    new ElenchusError("DATA_INVALID", `The data set does not fit together: ${found}.`);
  if (block.width !== width || labels.length !== block.length) {
    throw fault(
      `${block.length} rows of ${block.width} numbers for ${labels.length} labels and inputs [${inputShape.join(", ")}]`,
    );
  }
  if (classes === 0) return;
  const row = labels.findIndex((label) => !Number.isInteger(label) || label < 0 || label >= classes);
  if (row >= 0) {
    throw fault(`row ${row} has the label ${labels[row]}; expected a class from 0 to ${classes - 1}`);
  }
}
