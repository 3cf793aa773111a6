/** What a source came to: an item, or its end, with the error that it ended in. */
export type Arrival<T> =
  | { readonly item: T }
  | { readonly over: true; readonly failed?: { readonly error: unknown } };

/** A source that is waited for only as long as something else takes. */
export class PatientSource<T> {
  readonly #iterator: Iterator<T> | AsyncIterator<T>;
  #coming: Promise<Arrival<T>> | undefined;
  #over = false;

  constructor(source: Iterable<T> | AsyncIterable<T>) {
    this.#iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /**
   * @param other what ends the waiting; the next call waits on for the same item
   * @returns undefined where `other` is there first
   * @throws what `other` throws; never what the source throws
   */
  async next(other?: Promise<unknown>): Promise<Arrival<T> | undefined> {
    this.#coming ??= this.#pull();
    const arrival = await (other === undefined
      ? this.#coming
      : Promise.race([this.#coming, other.then(() => undefined)]));
    if (arrival !== undefined) this.#coming = undefined;
    return arrival;
  }

  /** No more items are wanted. An item that is still on its way is not waited for. */
  async end(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    const ended = Promise.resolve(this.#iterator.return?.());
    if (this.#coming === undefined) await ended;
    else ended.catch(() => {});
  }

  async #pull(): Promise<Arrival<T>> {
    try {
      const { done, value } = await this.#iterator.next();
      if (done !== true) return { item: value };
      this.#over = true;
      return { over: true };
    } catch (error) {
      this.#over = true;
      return { over: true, failed: { error } };
    }
  }
}
