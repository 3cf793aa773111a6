import { damaged } from "../files/wholeFile.js";
import type { StoredRows } from "../rows/rowsFile.js";

/** How a record is laid out and what its labels mean. */
export interface CifarForm {
  /** Bytes of labels before the pixels. */
  readonly labels: number;
  /** Which of them is taken. */
  readonly label: number;
  readonly classes: number;
  readonly classNames?: readonly string[];
}

/** Normalisation of Plato's CIFAR sets. */
const scale = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

const SIDE = 32;
const CHANNELS = 3;
const PLANE = SIDE * SIDE;
const PIXELS = PLANE * CHANNELS;

/**
 * Rows of files in CIFAR's binary version: records of one label byte (CIFAR-100: two, coarse and fine) and the red, green
 * and blue planes of 32x32 pixels. Inputs are [32, 32, 3].
 * @throws DATA_INVALID naming the byte that is wrong
 */
export function cifarRows(
  files: readonly { readonly file: string; readonly bytes: Uint8Array }[],
  { labels: labelBytes, label: place, classes, classNames }: CifarForm,
): StoredRows {
  const record = labelBytes + PIXELS;
  for (const { file, bytes } of files) checkLength(file, bytes.length, record);
  const rows = files.reduce((sum, { bytes }) => sum + bytes.length / record, 0);
  const numbers = new Uint8Array(rows * PIXELS);
  const labels = new Int32Array(rows);
  let row = 0;
  for (const { file, bytes } of files) {
    for (let start = 0; start < bytes.length; start += record, row++) {
      const label = bytes[start + place]!;
      if (label >= classes) {
        throw damaged(file, `the label is ${label}`, `a class from 0 to ${classes - 1}`, start + place);
      }
      labels[row] = label;
      interleave(bytes, start + labelBytes, numbers, row * PIXELS);
    }
  }
  return {
    numbers,
    labels,
    inputShape: [SIDE, SIDE, CHANNELS],
    classes,
    scale,
    ...(classNames && { classNames }),
  };
}

/** From planes of colours to pixels with their colours. */
function interleave(planes: Uint8Array, from: number, pixels: Uint8Array, to: number): void {
  for (let channel = 0; channel < CHANNELS; channel++) {
    const plane = from + channel * PLANE;
    for (let place = 0; place < PLANE; place++) {
      pixels[to + place * CHANNELS + channel] = planes[plane + place]!;
    }
  }
}

function checkLength(file: string, length: number, record: number): void {
  if (length > 0 && length % record === 0) return;
  const whole = length - (length % record);
  throw damaged(
    file,
    length === 0 ? "the file is empty" : `the last record has ${length - whole} bytes`,
    `records of ${record} bytes`,
    whole,
  );
}
