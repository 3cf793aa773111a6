/** From a range of bytes of a text's UTF-8 form to the characters that it touches. */
export type ByteRangeToOffsets = (start: number, end: number) => readonly [start: number, end: number];

/**
 * Where the bytes of a text stand in it. A range that begins or ends inside a character touches all of it; an
 * empty one lies before the character at its place.
 */
export function createByteRangeToOffsets(text: string): ByteRangeToOffsets {
  const length = Buffer.byteLength(text);
  const starts = new Int32Array(length + 1);
  const ends = new Int32Array(length + 1);
  let byte = 0;
  for (let unit = 0; unit < text.length; ) {
    const code = text.codePointAt(unit)!;
    const units = code > 0xffff ? 2 : 1;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    starts.fill(unit, byte, byte + bytes);
    ends.fill(unit + units, byte, byte + bytes);
    byte += bytes;
    unit += units;
  }
  starts[length] = text.length;
  ends[length] = text.length;
  return (start, end) => [starts[start]!, end > start ? ends[end - 1]! : starts[start]!];
}
