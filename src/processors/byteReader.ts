import { malformed } from "./malformed.js";

/** Reads a stream of pieces in portions of any size. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The next bytes, in memory of their own. Whoever asks knows that so many may come.
   * @throws PAYLOAD_INVALID when the stream ends within them
   */
  async take(count: number): Promise<Uint8Array> {
    const taken = new Uint8Array(count);
    for (let filled = 0; filled < count; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next();
        if (done) throw malformed(`it ends after ${filled} of ${count} bytes`);
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, count - filled);
      taken.set(piece, filled);
      filled += piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return taken;
  }

  /** @throws PAYLOAD_INVALID when there is more */
  async end(): Promise<void> {
    for (let left = this.#rest.length; ; ) {
      if (left > 0) throw malformed("there are bytes behind its end");
      const { done, value } = await this.#pieces.next();
      if (done) return;
      left = value.length;
    }
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
