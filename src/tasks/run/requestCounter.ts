/** How many of the requests of a run are answered. */
export interface RequestProgress {
  readonly done: number;
  readonly total: number;
  /** Of `done`, those whose answers were there already. */
  readonly known: number;
}

/** Counts answers over several calls of a model, also of one that says nothing of them before it has all. */
export class RequestCounter {
  readonly #total: number;
  readonly #onProgress: ((progress: RequestProgress) => void) | undefined;
  #done = 0;
  #known = 0;

  constructor(total: number, onProgress: ((progress: RequestProgress) => void) | undefined) {
    this.#total = total;
    this.#onProgress = onProgress;
    this.#tell();
  }

  /** Before a call with so many requests. @returns what the model tells, and what is done behind the call */
  begin(count: number) {
    let left = count;
    const onAnswered = (answered: number, known = false) => {
      // A model that says more than there is would be ahead of itself.
      const more = Math.min(answered, left);
      left -= more;
      this.#done += more;
      if (known) this.#known += more;
      if (more > 0) this.#tell();
    };
    return { onAnswered, finish: () => onAnswered(left) };
  }

  #tell(): void {
    this.#onProgress?.({ done: this.#done, total: this.#total, known: this.#known });
  }
}
