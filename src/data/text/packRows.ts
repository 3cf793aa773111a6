import type { TokenRow } from "./tokenRow.js";

/**
 * Cuts a text into rows of at most `maxLength` + 1 ids, each beginning with the last id of the one before: so every
 * id but the text's first is asked for exactly once. A single id left over has nothing before it and is no row.
 */
export function cutRows({ ids, mask }: TokenRow, maxLength: number): TokenRow[] {
  const rows: TokenRow[] = [];
  for (let start = 0; start + 1 < ids.length; start += maxLength) {
    const end = start + maxLength + 1;
    rows.push({ ids: ids.subarray(start, end), mask: mask.subarray(start, end) });
  }
  return rows;
}

/**
 * Puts texts one behind the other into a single one, in their order. The first id of each is never asked for: what
 * stands before it is another text.
 */
export function joinRows(texts: readonly TokenRow[]): TokenRow {
  const length = texts.reduce((sum, { ids }) => sum + ids.length, 0);
  const joined = { ids: new Int32Array(length), mask: new Uint8Array(length) };
  let place = 0;
  for (const { ids, mask } of texts) {
    joined.ids.set(ids, place);
    joined.mask.set(mask, place);
    if (ids.length > 0) joined.mask[place] = 0;
    place += ids.length;
  }
  return joined;
}

/**
 * Fills rows with whole examples, in their order: one that does not fit into what is left of a row begins the next.
 * An example of its own longer than a row loses its end.
 */
export function packWhole(examples: readonly TokenRow[], maxLength: number): TokenRow[] {
  const rows: TokenRow[] = [];
  let held: TokenRow[] = [];
  let room = maxLength + 1;
  const close = () => {
    if (held.length > 0) rows.push(joinRows(held));
    held = [];
    room = maxLength + 1;
  };
  for (const example of examples) {
    const whole = truncateRow(example, maxLength);
    if (whole.ids.length > room) close();
    held.push(whole);
    room -= whole.ids.length;
  }
  close();
  return rows;
}

/** The beginning of a text, at most `maxLength` + 1 ids. */
export function truncateRow({ ids, mask }: TokenRow, maxLength: number): TokenRow {
  return { ids: ids.subarray(0, maxLength + 1), mask: mask.subarray(0, maxLength + 1) };
}
