import { ElenchusError } from "../../base/index.js";
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

  /** Finds it in a thread. Where the thread is lost, it is found when it is asked for. */
  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    try {
      this.#found = await threads.interval(this.request(), signal);
    } catch (error) {
      if (!isLost(error)) throw error;
      this.#found = undefined;
      threads.logger?.warn(`An interval is drawn without a thread: ${error.message}`);
    }
  }

  get value(): BootstrapInterval | null {
    if (this.#found === undefined) this.#found = bootstrapInterval(this.request());
    return this.#found;
  }
}

/** A lost thread must not cost the metrics of rows that were all judged. */
function isLost(error: unknown): error is ElenchusError {
  return error instanceof ElenchusError && (error.code === "WORKER_DIED" || error.code === "WORKER_TIMEOUT");
}
