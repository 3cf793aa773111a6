import type { Clock } from "../../base/index.js";
import type { JobProgress } from "./job.js";
import type { JobStore } from "./jobStore.js";

/** Why the work of a job was told to stop. */
export type StopReason =
  /** The job was cancelled or removed. */
  | "cancelled"
  /** Another worker may have it by now. */
  | "lost"
  /** This worker stops. */
  | "stopped";

/** Whose lease is kept, and how. */
export interface HeartBeatOptions {
  readonly store: JobStore;
  readonly id: string;
  /** The holder of the lease. */
  readonly holder: string;
  /** Seconds that the lease holds, and between beats. */
  readonly lease: number;
  readonly beat: number;
  readonly clock: Clock;
  readonly progress: () => JobProgress;
  /** Called once when the job is not the holder's any more. */
  readonly lost: (reason: StopReason) => void;
}

/** Renews the lease on a job until it is told to stop, or the job is not the holder's any more. */
export class HeartBeat {
  readonly #options: HeartBeatOptions;
  #renewed: number;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #over = false;

  constructor(options: HeartBeatOptions) {
    this.#options = options;
    this.#renewed = options.clock.monotonic();
    this.#next();
  }

  /** Resolves when no beat is under way any more. */
  stop(): Promise<void> {
    this.#over = true;
    clearTimeout(this.#timer);
    return this.#last;
  }

  #next(): void {
    if (this.#over) return;
    this.#timer = setTimeout(() => {
      this.#last = this.#renew().then(() => this.#next());
    }, this.#options.beat * 1000);
  }

  async #renew(): Promise<void> {
    const { store, id, holder, lease, clock, progress, lost } = this.#options;
    const began = clock.monotonic();
    try {
      const job = await store.beat(id, holder, lease, progress());
      if (job?.lease?.worker === holder) {
        this.#renewed = began;
        return;
      }
      this.#over = true;
      lost(job === undefined || job.status === "cancelled" ? "cancelled" : "lost");
    } catch {
      // The storage does not answer; as long as the lease holds, it may again.
      if (clock.monotonic() - this.#renewed <= lease * 1000) return;
      this.#over = true;
      lost("lost");
    }
  }
}
