import { abortable } from "./abortable.js";

/** Works that are done one behind the other, in the order in which they come. */
export class Turns {
  /** Settles when all that has come so far is done; never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Does a work when all before it are done. Who goes away while waiting hears so at once, and takes nobody's time.
   * @throws what the work throws; the signal's reason
   */
  take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = abortable(before, signal).then(() => {
      signal?.throwIfAborted();
      return work();
    });
    const done = mine.then(
      () => {},
      () => {},
    );
    this.#last = before.then(() => done);
    return mine;
  }
}
