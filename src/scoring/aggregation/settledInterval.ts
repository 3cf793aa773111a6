import type { ScoringThreads } from "../threads/scoringThreads.js";
import { type BootstrapInterval, type BootstrapRequest, bootstrapInterval } from "./bootstrap.js";

/** An interval that is found once: in a thread where there is one, else when it is asked for. */
export class SettledInterval {
  #found: BootstrapInterval | null | undefined;

  /** @param request what it is made of, as far as it is there */
  constructor(private readonly request: () => BootstrapRequest) {}

  /** More rows have come. */
  outdate(): void {
    this.#found = undefined;
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    this.#found = await threads.interval(this.request(), signal);
  }

  get value(): BootstrapInterval | null {
    if (this.#found === undefined) this.#found = bootstrapInterval(this.request());
    return this.#found;
  }
}
