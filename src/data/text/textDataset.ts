import { ElenchusError } from "../../base/index.js";
import { type Batch, type Dataset, NO_LABEL, type RowGroups } from "../dataset.js";
import type { OwnedRow, TokenRow } from "./tokenRow.js";

/** What rows of tokens are made from. */
export interface TextDatasetInit {
  /** In their order, each of 2 to `maxLength` + 1 ids. The arrays are kept, not copied. */
  readonly rows: readonly OwnedRow[];
  /** The most tokens of a row that a model reads. */
  readonly maxLength: number;
  /** Ids are below it. */
  readonly vocabularySize: number;
  /** Fills short rows of a batch. Default 0; its value means nothing, as padding stands behind the text. */
  readonly padId?: number;
  /** Names of the owners. Default one, `all`. */
  readonly groupNames?: readonly string[];
}

/**
 * Rows of token ids. A row of n ids is n - 1 places to read, and at each the id that follows is the label where
 * the mask asks for it. A batch is as wide as its longest row: inputs [rows, width] are ids (exact in a
 * Float32Array below 2^24), labels [rows, width] ids or `NO_LABEL`.
 */
export class TextDataset implements Dataset {
  readonly tokens = true;
  readonly length: number;
  readonly inputShape: readonly number[];
  readonly classes: number;
  readonly labels: Int32Array;
  readonly groups: RowGroups;
  readonly #rows: readonly OwnedRow[];
  readonly #padId: number;

  /** @throws DATA_INVALID naming the first row that does not fit */
  constructor({ rows, maxLength, vocabularySize, padId = 0, groupNames = ["all"] }: TextDatasetInit) {
    rows.forEach((row, index) => {
      checkRow(row, index, { maxLength, vocabularySize, groups: groupNames.length });
    });
    this.length = rows.length;
    this.inputShape = [maxLength];
    this.classes = vocabularySize;
    this.labels = Int32Array.from(rows, ({ group }) => group);
    this.#rows = rows;
    this.#padId = padId;
    this.groups = { names: [...groupNames], of: this.labels.slice() };
  }

  /** Copies one row. @throws RangeError for an index outside the rows */
  row(index: number): TokenRow {
    const { ids, mask } = this.#at(index);
    return { ids: ids.slice(), mask: mask.slice() };
  }

  /** @throws RangeError for an index outside the rows */
  batch(indices: ArrayLike<number>): Batch & { lengths: Int32Array } {
    const rows = Array.from(indices, (index) => this.#at(index));
    const lengths = Int32Array.from(rows, ({ ids }) => ids.length - 1);
    const width = lengths.reduce((longest, length) => Math.max(longest, length), 0);
    const inputs = new Float32Array(rows.length * width).fill(this.#padId);
    const labels = new Int32Array(rows.length * width).fill(NO_LABEL);
    rows.forEach(({ ids, mask }, row) => {
      inputs.set(ids.subarray(0, -1), row * width);
      for (let place = 1; place < ids.length; place++) {
        if (mask[place] === 1) labels[row * width + place - 1] = ids[place]!;
      }
    });
    return { inputs, inputShape: [width], labels, labelShape: [width], lengths, length: rows.length };
  }

  #at(index: number): OwnedRow {
    const row = this.#rows[index];
    if (row !== undefined) return row;
    throw new RangeError(`row ${index} is asked for, but the rows are 0 to ${this.length - 1}`);
  }
}

interface Bounds {
  readonly maxLength: number;
  readonly vocabularySize: number;
  readonly groups: number;
}

function checkRow({ ids, mask, group }: OwnedRow, row: number, bounds: Bounds): void {
  const { maxLength, vocabularySize, groups } = bounds;
  const fault = (found: string) =>
    new ElenchusError("DATA_INVALID", `The text does not fit together: row ${row} has ${found}.`);
  if (ids.length < 2 || ids.length > maxLength + 1) {
    throw fault(`${ids.length} tokens; expected 2 to ${maxLength + 1}`);
  }
  if (mask.length !== ids.length) throw fault(`${ids.length} tokens and a mask of ${mask.length}`);
  const stray = ids.find((id) => id < 0 || id >= vocabularySize);
  if (stray !== undefined) throw fault(`the token ${stray}; expected 0 to ${vocabularySize - 1}`);
  if (!Number.isInteger(group) || group < 0 || group >= groups) {
    throw fault(`the owner ${group}; expected 0 to ${groups - 1}`);
  }
}
