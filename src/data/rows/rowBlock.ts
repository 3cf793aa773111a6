import { readSync } from "node:fs";
import { ElenchusError } from "../../base/index.js";

/** Numbers as they are stored: a byte each, or single precision. */
export type StoredNumbers = Uint8Array | Float32Array;

/** Rows of one width, stored one after the other. */
export interface RowBlock {
  readonly length: number;
  /** Numbers of a row. */
  readonly width: number;
  /** The numbers of a row, 0 to `length` - 1; what came of an earlier call may change. */
  row(index: number): StoredNumbers;
}

/** Rows in memory, which may be a SharedArrayBuffer's. The array is kept, not copied. */
export class MemoryBlock implements RowBlock {
  readonly length: number;
  readonly width: number;
  readonly #numbers: StoredNumbers;

  constructor(numbers: StoredNumbers, width: number) {
    this.#numbers = numbers;
    this.width = width;
    this.length = numbers.length / width;
  }

  row(index: number): StoredNumbers {
    return this.#numbers.subarray(index * this.width, (index + 1) * this.width);
  }
}

/** Where rows stand in a file that is open. */
export interface FilePlace {
  readonly descriptor: number;
  /** Its name, for messages. */
  readonly file: string;
  /** Byte of the first number. */
  readonly offset: number;
  readonly type: "uint8" | "float32";
}

/**
 * Rows that stay in their file and are read one by one. The system keeps the pages of the file once for all processes,
 * so that a process needs no memory for them.
 */
export class FileBlock implements RowBlock {
  readonly length: number;
  readonly width: number;
  readonly #place: FilePlace;
  readonly #bytes: Uint8Array;
  readonly #row: StoredNumbers;

  constructor(place: FilePlace, length: number, width: number) {
    this.#place = place;
    this.length = length;
    this.width = width;
    this.#bytes = new Uint8Array(width * (place.type === "uint8" ? 1 : 4));
    this.#row = place.type === "uint8" ? this.#bytes : new Float32Array(this.#bytes.buffer);
  }

  /** @throws DATA_INVALID for a file that has been cut since it was opened */
  row(index: number): StoredNumbers {
    const { descriptor, offset, file } = this.#place;
    const size = this.#bytes.length;
    const start = offset + index * size;
    for (let read = 0; read < size; ) {
      const count = readSync(descriptor, this.#bytes, read, size - read, start + read);
      if (count === 0) {
        throw new ElenchusError(
          "DATA_INVALID",
          `${file} ends before byte ${start + size}, where row ${index} is. It was changed while in use: delete it and start again.`,
        );
      }
      read += count;
    }
    return this.#row;
  }
}
