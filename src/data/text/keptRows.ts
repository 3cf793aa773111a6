import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeAtomic } from "../../base/index.js";
import type { OwnedRow } from "./tokenRow.js";

/**
 * Rows from a file where it has them, else made and kept there: encoding takes about a second per megabyte of text,
 * and every process of a run needs the same rows. A damaged file is made anew; a folder that cannot be written keeps
 * nothing.
 * @param file named for all that decides the rows
 */
export async function keptRows(file: string, make: () => OwnedRow[]): Promise<OwnedRow[]> {
  const kept = await readFile(file).then(parseRows, () => undefined);
  if (kept !== undefined) return kept;
  const rows = make();
  await makeFolder(dirname(file))
    .then(() => writeAtomic(file, formatRows(rows)))
    // What is not kept is made again by the next process: slower, but the same.
    .catch(() => undefined);
  return rows;
}

/** Little-endian: rows and ids in all, then per row its length and group, all ids, all masks, SHA-256 of it. */
export function formatRows(rows: readonly OwnedRow[]): Uint8Array {
  const total = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const body = new Uint8Array(HEAD + rows.length * 8 + total * 5);
  const view = new DataView(body.buffer);
  view.setUint32(0, rows.length, true);
  view.setUint32(4, total, true);
  let entry = HEAD;
  let id = HEAD + rows.length * 8;
  let mark = id + total * 4;
  for (const { ids, mask, group } of rows) {
    view.setUint32(entry, ids.length, true);
    view.setUint32(entry + 4, group, true);
    entry += 8;
    for (const value of ids) {
      view.setInt32(id, value, true);
      id += 4;
    }
    body.set(mask, mark);
    mark += mask.length;
  }
  return Buffer.concat([body, digestOf(body)]);
}

/** The rows of a file; undefined where it is not as it was written. */
export function parseRows(bytes: Uint8Array): OwnedRow[] | undefined {
  const body = bytes.subarray(0, -DIGEST);
  if (body.length < HEAD || !digestOf(body).equals(bytes.subarray(-DIGEST))) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const count = view.getUint32(0, true);
  const total = view.getUint32(4, true);
  const ids = Int32Array.from({ length: total }, (_, place) =>
    view.getInt32(HEAD + count * 8 + place * 4, true),
  );
  const masks = Uint8Array.from(body.subarray(HEAD + count * 8 + total * 4));
  let start = 0;
  return Array.from({ length: count }, (_, row) => {
    const end = start + view.getUint32(HEAD + row * 8, true);
    const group = view.getUint32(HEAD + row * 8 + 4, true);
    const found = { ids: ids.subarray(start, end), mask: masks.subarray(start, end), group };
    start = end;
    return found;
  });
}

const HEAD = 8;
const DIGEST = 32;

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
