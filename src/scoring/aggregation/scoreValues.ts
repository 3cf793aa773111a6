/** Numbers that come one by one, eight bytes each: for what needs all of them at the end. */
export class ScoreValues {
  #held = new Float64Array(64);
  #count = 0;

  add(value: number): void {
    if (this.#count === this.#held.length) {
      const larger = new Float64Array(2 * this.#count);
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held[this.#count++] = value;
  }

  /** In the order they came. */
  get all(): Float64Array {
    return this.#held.subarray(0, this.#count);
  }

  sorted(): Float64Array {
    return this.all.slice().sort();
  }
}
