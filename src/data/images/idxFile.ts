import { damaged, wholeFile } from "../files/wholeFile.js";

/** Images of one byte per pixel. */
export interface IdxImages {
  readonly count: number;
  readonly height: number;
  readonly width: number;
  /** Row-major, `count * height * width`. */
  readonly pixels: Uint8Array;
}

/**
 * Images in the format of MNIST, gzipped or not: the magic number 2051, how many, their height and width as big-endian
 * integers of 32 bits, then a byte per pixel (LeCun, Cortes and Burges, "The MNIST database").
 * @throws DATA_INVALID naming the byte that is wrong, what was found and what was expected
 */
export async function readIdxImages(file: string): Promise<IdxImages> {
  const { bytes, sizes, start } = await readIdx(file, 3);
  const [count = 0, height = 0, width = 0] = sizes;
  return { count, height, width, pixels: bytes.subarray(start) };
}

/**
 * Labels in the format of MNIST: the magic number 2049, how many, then a byte for each.
 * @param classes labels are `first` to `first + classes - 1`; they come back from 0
 * @throws as `readIdxImages`
 */
export async function readIdxLabels(file: string, classes: number, first = 0): Promise<Int32Array> {
  const { bytes, start } = await readIdx(file, 1);
  return Int32Array.from(bytes.subarray(start), (label, row) => {
    if (label >= first && label < first + classes) return label - first;
    throw damaged(
      file,
      `row ${row} has the label ${label}`,
      `labels from ${first} to ${first + classes - 1}`,
      start + row,
    );
  });
}

const IMAGES = 3;
const MAGIC: Readonly<Record<number, string>> = { 2049: "labels", 2051: "images" };

async function readIdx(file: string, dimensions: number) {
  const bytes = await wholeFile(file);
  const kind = dimensions === IMAGES ? "images" : "labels";
  const magic = 0x0800 + dimensions;
  if (bytes.length < 4) {
    throw damaged(file, `the file has ${bytes.length} bytes`, `${kind} in the format of MNIST`, 0);
  }
  const found = bytes.readUInt32BE(0);
  if (found !== magic) {
    const meant = MAGIC[found] === undefined ? "" : `, that of ${MAGIC[found]}`;
    throw damaged(file, `the magic number is ${found}${meant}`, `${magic}, that of ${kind}`, 0);
  }
  const start = 4 + 4 * dimensions;
  if (bytes.length < start) {
    throw damaged(file, `the file ends within its header of ${start} bytes`, "a whole file", bytes.length);
  }
  const sizes = Array.from({ length: dimensions }, (_, place) => bytes.readUInt32BE(4 + 4 * place));
  const empty = sizes.indexOf(0);
  if (empty >= 0) throw damaged(file, `size ${empty + 1} is 0`, "at least one of each", 4 + 4 * empty);
  const expected = start + sizes.reduce((product, size) => product * size, 1);
  if (bytes.length !== expected) {
    const what =
      bytes.length < expected ? "the content ends here" : `${bytes.length - expected} bytes too many`;
    const where = Math.min(bytes.length, expected);
    throw damaged(file, what, `${expected} bytes, for its header says ${sizes.join(" x ")}`, where);
  }
  return { bytes, sizes, start };
}
