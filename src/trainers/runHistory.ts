import { ElenchusError } from "../base/index.js";

/** Metrics of one trainer over time: a list of values per name. */
export class RunHistory {
  readonly #values = new Map<string, number[]>();

  /** Names of all metrics with at least one value, in the order of their first one. */
  getMetricNames(): string[] {
    return [...this.#values.keys()];
  }

  /** All values of a metric, oldest first; empty for an unknown one. */
  getMetricValues(name: string): number[] {
    return [...(this.#values.get(name) ?? [])];
  }

  /** @throws NAME_UNKNOWN when the metric has no value yet */
  getLatestMetric(name: string): number {
    const latest = this.#values.get(name)?.at(-1);
    if (latest !== undefined) return latest;
    const known = this.getMetricNames();
    throw new ElenchusError(
      "NAME_UNKNOWN",
      `No value of the metric "${name}" has been recorded. Recorded: ${known.length > 0 ? known.join(", ") : "none"}.`,
      { details: { kind: "metric", name, registered: known } },
    );
  }

  /** Appends a value. */
  updateMetric(name: string, value: number): void {
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /** Forgets everything. */
  reset(): void {
    this.#values.clear();
  }
}
