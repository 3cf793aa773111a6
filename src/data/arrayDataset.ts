import { ElenchusError } from "../base/index.js";
import type { Batch, Dataset } from "./dataset.js";

/** What an in-memory data set is made from. */
export interface ArrayDatasetInit {
  /** Row-major, `labels.length` times the product of `inputShape` numbers, all finite. */
  readonly inputs: Float32Array;
  /** Shape of one input. */
  readonly inputShape: readonly number[];
  /** `Int32Array` of class indices below `classes`; for regression (`classes` 0) any finite numbers. */
  readonly labels: Int32Array | Float32Array;
  /** Number of classes; 0 for regression. */
  readonly classes: number;
}

/** Rows held in memory. The arrays are kept, not copied: do not change them afterwards. */
export class ArrayDataset implements Dataset {
  readonly length: number;
  readonly inputShape: readonly number[];
  readonly classes: number;
  readonly labels: Int32Array | Float32Array;
  readonly #inputs: Float32Array;
  readonly #width: number;

  /** @throws DATA_INVALID naming the first thing that does not fit */
  constructor({ inputs, inputShape, labels, classes }: ArrayDatasetInit) {
    this.length = labels.length;
    this.inputShape = [...inputShape];
    this.classes = classes;
    this.labels = labels;
    this.#inputs = inputs;
    this.#width = inputShape.reduce((product, size) => product * size, 1);
    checkForm(this, inputs, this.#width);
    checkInputs(inputs, this.#width);
    checkLabels(labels, classes);
  }

  /** @throws RangeError for an index outside the rows */
  batch(indices: ArrayLike<number>): Batch {
    const width = this.#width;
    const inputs = new Float32Array(indices.length * width);
    const labels =
      this.labels instanceof Int32Array ? new Int32Array(indices.length) : new Float32Array(indices.length);
    for (let row = 0; row < indices.length; row++) {
      const index = indices[row]!;
      if (!Number.isInteger(index) || index < 0 || index >= this.length) {
        throw new RangeError(`row ${index} is asked for, but the rows are 0 to ${this.length - 1}`);
      }
      inputs.set(this.#inputs.subarray(index * width, (index + 1) * width), row * width);
      labels[row] = this.labels[index]!;
    }
    return { inputs, inputShape: this.inputShape, labels, length: indices.length };
  }
}

function checkForm({ inputShape, classes, length }: Dataset, inputs: Float32Array, width: number): void {
  if (inputShape.some((size) => !Number.isInteger(size) || size < 1)) {
    throw invalid(`the input shape is [${inputShape.join(", ")}]; expected positive integers`);
  }
  if (!Number.isInteger(classes) || classes < 0) {
    throw invalid(`the number of classes is ${classes}; expected an integer from 0 (regression) up`);
  }
  if (inputs.length !== length * width) {
    throw invalid(
      `${inputs.length} input numbers for ${length} labels; expected ${length} rows of ${width} numbers, ${length * width} in all`,
    );
  }
}

function checkInputs(inputs: Float32Array, width: number): void {
  for (let index = 0; index < inputs.length; index++) {
    if (!Number.isFinite(inputs[index]!)) {
      throw invalid(
        `row ${Math.floor(index / width)}, number ${index % width} is ${inputs[index]}; expected finite numbers`,
      );
    }
  }
}

function checkLabels(labels: Int32Array | Float32Array, classes: number): void {
  if (classes > 0 && !(labels instanceof Int32Array)) {
    throw invalid(`the labels are a ${labels.constructor.name}; expected an Int32Array of class indices`);
  }
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!;
    if (classes > 0 && (label < 0 || label >= classes)) {
      throw invalid(`row ${row} has the label ${label}; expected a class from 0 to ${classes - 1}`);
    }
    if (!Number.isFinite(label)) throw invalid(`row ${row} has the label ${label}; expected a finite number`);
  }
}

function invalid(found: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `The data set does not fit together: ${found}.`);
}
