import { type PayloadSink, PIECE_BYTES } from "./payloadSink.js";
import type { Turns } from "./turns.js";

/**
 * Keeps a payload in memory, in the pieces it came in.
 * @param turns shared by all payloads that are read from the same memory
 * @param release called once, when the memory is free again
 */
export function memorySink(bytes: number, turns: Turns, release: () => void): PayloadSink {
  let pieces: Uint8Array[] | undefined = [];

  const discard = async () => {
    if (pieces) release();
    pieces = undefined;
  };
  return {
    async write(piece) {
      pieces?.push(piece);
    },
    async finish() {
      return {
        bytes,
        async *read() {
          for (const piece of shortPieces(held(pieces))) {
            yield piece;
            const turn = turns(piece.length);
            if (turn) await turn;
          }
        },
        discard,
      };
    },
    discard,
  };
}

function held(pieces: Uint8Array[] | undefined): Uint8Array[] {
  if (pieces) return pieces;
  throw new Error("the payload was discarded and is read again");
}

/** Whoever allows longer chunks does not get longer pieces. */
function* shortPieces(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += PIECE_BYTES) {
      yield piece.subarray(start, start + PIECE_BYTES);
    }
  }
}
