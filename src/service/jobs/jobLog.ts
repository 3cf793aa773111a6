import type { JobLogs } from "./jobLogs.js";

/** The log of a job at hand: lines are stored in their order while the work goes on. */
export class JobLog {
  readonly #logs: JobLogs;
  readonly #id: string;
  readonly #mask: (text: string) => string;
  #lines: string[] = [];
  #storing: Promise<void> = Promise.resolve();

  /** @param mask takes what must not be seen out of a line */
  constructor(logs: JobLogs, id: string, mask: (text: string) => string) {
    this.#logs = logs;
    this.#id = id;
    this.#mask = mask;
  }

  add(text: string): void {
    this.#lines.push(this.#mask(text));
    this.#storing = this.#storing.then(() => this.#storeAll());
  }

  /** Tries once more to store what is not stored yet. Never rejects: a log is no reason to lose a job. */
  flush(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#storeAll());
    return this.#storing;
  }

  async #storeAll(): Promise<void> {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    try {
      await this.#logs.add(this.#id, lines);
    } catch {
      this.#lines = [...lines, ...this.#lines];
    }
  }
}
