/** Bytes of the longest piece that is read at once. */
export const PIECE_BYTES = 1024 ** 2;

/** A payload that was received whole, to be read again and again. */
export interface ReceivedPayload {
  readonly bytes: number;
  /**
   * All bytes from the first, in pieces of at most 1 MiB. A piece is valid until the next one is asked for.
   * Reading gives way to the event loop at least once for every MiB.
   */
  read(): AsyncIterable<Uint8Array>;
  /** Frees the memory or the file behind it. */
  discard(): Promise<void>;
}

/** Where the bytes of one payload go while they arrive. */
export interface PayloadSink {
  /** Takes bytes behind those before. Settles when more may come; writes need not wait for each other. */
  write(bytes: Uint8Array): Promise<void>;
  /** After the last write. */
  finish(): Promise<ReceivedPayload>;
  /** Gives up; frees everything. */
  discard(): Promise<void>;
}
