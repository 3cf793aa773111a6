import { damaged } from "../files/wholeFile.js";

/**
 * Lines of whole numbers from 0 to 255 with commas between them, one line after the other.
 * @param file for messages
 * @param width numbers of every line
 * @throws DATA_INVALID naming line and byte of anything else
 */
export async function* vectorRows(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  width: number,
): AsyncGenerator<Uint8Array> {
  let row = new Uint8Array(width);
  let filled = 0;
  let number = -1;
  let line = 1;
  let offset = 0;
  const fault = (found: string, expected: string, at: number) =>
    damaged(`${file}, line ${line}`, found, expected, at);
  const endNumber = (at: number) => {
    if (number < 0) throw fault("a number is missing", "whole numbers with commas between them", at);
    if (filled >= width) throw fault(`more than ${width} numbers`, `${width}`, at);
    row[filled++] = number;
    number = -1;
  };
  for await (const piece of pieces) {
    for (let place = 0; place < piece.length; place++) {
      const byte = piece[place]!;
      if (byte >= ZERO && byte <= NINE) {
        number = Math.max(number, 0) * 10 + byte - ZERO;
        if (number > 255) throw fault(`the number ${number} or a larger one`, "0 to 255", offset + place);
      } else if (byte === COMMA) endNumber(offset + place);
      else if (byte === NEW_LINE) {
        // An empty line, perhaps the last, is none.
        if (number >= 0 || filled > 0) {
          endNumber(offset + place);
          if (filled < width) throw fault(`${filled} numbers`, `${width}`, offset + place);
          yield row;
          row = new Uint8Array(width);
          filled = 0;
        }
        line++;
      } else if (byte !== RETURN && byte !== SPACE) {
        throw fault(`the byte ${byte}`, "digits and commas", offset + place);
      }
    }
    offset += piece.length;
  }
  if (number < 0 && filled === 0) return;
  endNumber(offset);
  if (filled < width) throw fault(`the file ends after ${filled} numbers of a line`, `${width}`, offset);
  yield row;
}

const ZERO = 48;
const NINE = 57;
const COMMA = 44;
const NEW_LINE = 10;
const RETURN = 13;
const SPACE = 32;
