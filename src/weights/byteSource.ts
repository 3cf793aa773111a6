/** Bytes that can be read again and again: a received payload, in memory or in a file. */
export interface ByteSource {
  readonly bytes: number;
  /** All bytes from the first, in pieces. A piece is valid until the next one is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

/** A source over bytes in memory. */
export function memorySource(parts: readonly Uint8Array[]): ByteSource {
  return {
    bytes: parts.reduce((sum, part) => sum + part.length, 0),
    async *read() {
      yield* parts;
    },
  };
}

/** The same bytes in pieces of whole 32-bit words, so that no element is torn. */
export async function* wholeWords(source: ByteSource): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (let piece of source.read()) {
    if (rest.length > 0) {
      const missing = Math.min(4 - rest.length, piece.length);
      rest = joined(rest, piece.subarray(0, missing));
      piece = piece.subarray(missing);
      if (rest.length < 4) continue;
      yield rest;
      rest = new Uint8Array(0);
    }
    const whole = piece.length - (piece.length % 4);
    // A Buffer's own `slice` would be a view that changes with the next piece.
    if (whole < piece.length) rest = new Uint8Array(piece.subarray(whole));
    if (whole > 0) yield piece.subarray(0, whole);
  }
  if (rest.length > 0) yield rest;
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const both = new Uint8Array(head.length + tail.length);
  both.set(head);
  both.set(tail, head.length);
  return both;
}
