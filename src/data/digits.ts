import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { ElenchusError, messageOf } from "../base/index.js";
import { ArrayDataset } from "./arrayDataset.js";
import type { Datasource } from "./dataset.js";
import { resizeBilinear } from "./resizeBilinear.js";

const FILE = fileURLToPath(new URL("../../assets/digits.csv.gz", import.meta.url));
const SIDE = 8;
const PIXELS = SIDE * SIDE;
const DARKEST = 16;
const CLASSES = 10;
/** Side to which an image is enlarged: what models made for MNIST expect. */
const ENLARGED = 28;
const TRAINING_ROWS = 1437;
const ROWS = 1797;

/**
 * Handwritten digits (UCI "Optical Recognition of Handwritten Digits", test part, CC BY 4.0): 8x8 pixels
 * enlarged bilinearly to 28x28x1, values scaled from 0-16 to 0-1. The first 1,437 rows train, the other
 * 360 test.
 * @param file the gzipped CSV; by default the one that ships
 * @throws DATA_INVALID naming file and line
 */
export async function loadDigits(file: string = FILE): Promise<Datasource> {
  let text: string;
  try {
    text = gunzipSync(await readFile(file)).toString("latin1");
  } catch (error) {
    throw new ElenchusError(
      "DATA_INVALID",
      `${file} cannot be read: ${messageOf(error)}. Expected the gzipped CSV of digits that ships with the package; install it again.`,
      { cause: error },
    );
  }
  const { pixels, labels } = parseDigits(text, file);
  const side = ENLARGED * ENLARGED;
  const inputs = new Float32Array(labels.length * side);
  for (let row = 0; row < labels.length; row++) {
    const image = pixels.subarray(row * PIXELS, (row + 1) * PIXELS);
    inputs.set(resizeBilinear(image, SIDE, SIDE, ENLARGED, ENLARGED), row * side);
  }
  const part = (from: number, to: number) =>
    new ArrayDataset({
      inputs: inputs.subarray(from * side, to * side),
      inputShape: [ENLARGED, ENLARGED, 1],
      labels: labels.subarray(from, to),
      classes: CLASSES,
    });
  return { trainset: part(0, TRAINING_ROWS), testset: part(TRAINING_ROWS, ROWS) };
}

/** Lines of 64 pixels (0-16) and a class (0-9), without a header; pixels come back scaled to 0-1. */
function parseDigits(text: string, file: string): { pixels: Float32Array; labels: Int32Array } {
  const lines = text.trimEnd().split(/\r?\n/);
  const pixels = new Float32Array(lines.length * PIXELS);
  const labels = new Int32Array(lines.length);
  for (const [row, line] of lines.entries()) {
    const cells = line.split(",");
    if (cells.length !== PIXELS + 1) {
      throw corrupt(file, row, `${cells.length} values; expected ${PIXELS} pixels and a class`);
    }
    for (const [column, cell] of cells.entries()) {
      const largest = column < PIXELS ? DARKEST : CLASSES - 1;
      const value = Number(cell);
      if (!/^\d+$/.test(cell) || value > largest) {
        throw corrupt(file, row, `value ${column + 1} is ${JSON.stringify(cell)}; expected 0 to ${largest}`);
      }
      if (column < PIXELS) pixels[row * PIXELS + column] = value / DARKEST;
      else labels[row] = value;
    }
  }
  if (lines.length !== ROWS) {
    throw corrupt(file, lines.length - 1, `the last of ${lines.length} rows; expected ${ROWS} rows`);
  }
  return { pixels, labels };
}

function corrupt(file: string, row: number, found: string): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `${file}, line ${row + 1}: ${found}. The file is damaged; install the package again.`,
    { details: { file, line: row + 1 } },
  );
}
