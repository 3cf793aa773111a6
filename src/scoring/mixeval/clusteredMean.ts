/**
 * A mean over rows of equal weight of which some belong together: its standard error takes each cluster as one
 * observation (Miller 2024, "Adding error bars to evals").
 */
export class ClusteredMean {
  readonly #clusters = new Map<string, { sum: number; n: number }>();
  #sum = 0;
  #n = 0;

  add(cluster: string, value: number): void {
    const part = this.#clusters.get(cluster) ?? { sum: 0, n: 0 };
    part.sum += value;
    part.n++;
    this.#clusters.set(cluster, part);
    this.#sum += value;
    this.#n++;
  }

  get sum(): number {
    return this.#sum;
  }

  /** Rows. */
  get n(): number {
    return this.#n;
  }

  get clusters(): number {
    return this.#clusters.size;
  }

  /** Null for no rows. */
  get mean(): number | null {
    return this.#n === 0 ? null : this.#sum / this.#n;
  }

  /** Null for fewer than two clusters. */
  get standardError(): number | null {
    const [mean, clusters] = [this.mean, this.#clusters.size];
    if (mean === null || clusters < 2) return null;
    let squares = 0;
    for (const { sum, n } of this.#clusters.values()) squares += (sum - mean * n) ** 2;
    return (Math.sqrt(squares) / this.#n) * Math.sqrt(clusters / (clusters - 1));
  }
}
