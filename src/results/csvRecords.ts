import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** One record of RFC 4180 with its line end, a single line feed. */
export function recordText(cells: readonly string[]): string {
  return stringify([[...cells]], { record_delimiter: "\n" });
}

/** All records of a text, header included. @throws when a quote is out of place or a record has another length */
export function parseRecords(text: string | Buffer): string[][] {
  return parse(text, { record_delimiter: "\n", skip_empty_lines: false });
}

/**
 * Finds where records end in CSV that comes in pieces: at a line feed outside quotes. It looks at bytes only;
 * within UTF-8 neither byte is part of another character.
 */
export class RecordScanner {
  #quoted = false;

  /** Offsets within the piece, each just behind the end of a record. */
  ends(piece: Uint8Array): number[] {
    const found: number[] = [];
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index];
      // A doubled quote inside a quoted cell changes the state twice, that is, not at all.
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (byte === LINE_FEED && !this.#quoted) found.push(index + 1);
    }
    return found;
  }
}
