/** Mean and standard error of values that come one by one; nothing of them is kept. */
export class RunningMean {
  #count = 0;
  #sum = 0;
  /** Mean by Welford's recurrence (1962), which keeps the squares exact where the plain sum would cancel. */
  #centre = 0;
  #squares = 0;

  add(value: number): void {
    this.#count++;
    this.#sum += value;
    const distance = value - this.#centre;
    this.#centre += distance / this.#count;
    this.#squares += distance * (value - this.#centre);
  }

  get count(): number {
    return this.#count;
  }

  get sum(): number {
    return this.#sum;
  }

  /** Null where there is no value. */
  get mean(): number | null {
    return this.#count === 0 ? null : this.#sum / this.#count;
  }

  /** sqrt(sum (x - mean)^2 / (n - 1)) / sqrt(n); null for fewer than two values. */
  get standardError(): number | null {
    if (this.#count < 2) return null;
    return Math.sqrt(this.#squares / (this.#count - 1)) / Math.sqrt(this.#count);
  }
}
