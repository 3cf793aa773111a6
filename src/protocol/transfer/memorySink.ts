import type { PayloadSink } from "./payloadSink.js";

/**
 * Keeps a payload in memory, in the pieces it came in.
 * @param release called once, when the memory is free again
 */
export function memorySink(bytes: number, release: () => void): PayloadSink {
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
          yield* held(pieces);
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
