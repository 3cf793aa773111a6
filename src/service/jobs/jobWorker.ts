import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import {
  type Clock,
  ElenchusError,
  type Logger,
  messageOf,
  type Registry,
  systemClock,
} from "../../base/index.js";
import type { JobQueue, Taking } from "../queue/jobQueue.js";
import type { JsonValue, Storage } from "../storage/index.js";
import { HeartBeat, type StopReason } from "./heartBeat.js";
import type { Job, JobKind } from "./job.js";
import { JobLog } from "./jobLog.js";
import { parseParams } from "./jobParams.js";
import { JobStore } from "./jobStore.js";
import { ProgressMeter } from "./progressMeter.js";
import { storedStages } from "./storedStages.js";
import { untilStopped } from "./untilStopped.js";

/** What a worker needs. */
export interface JobWorkerOptions {
  readonly storage: Storage;
  readonly queue: JobQueue;
  readonly kinds: Registry<JobKind>;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Most jobs at once. Default 1. */
  readonly concurrency?: number;
  /** Seconds without a beat after which a job may be taken by another. Default 30. */
  readonly lease?: number;
  /** Seconds between beats; after so long a worker notices that a job was cancelled elsewhere. Default 1. */
  readonly beat?: number;
  /** Seconds that work may go on after it was told to stop. Default 10. */
  readonly grace?: number;
  /** Takes what must not be seen out of a text that is logged or stored. */
  readonly mask?: (text: string) => string;
}

interface Running {
  readonly stop: (reason: StopReason) => void;
  readonly over: Promise<void>;
}

/**
 * Does jobs: takes them from the queue, holds a lease on each while it works, and looks through the storage for
 * those that nobody announced or whose worker was lost.
 */
export class JobWorker {
  /** Which worker this is, in leases and logs. */
  readonly name = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  readonly #options: Required<JobWorkerOptions>;
  readonly #store: JobStore;
  readonly #running = new Map<string, Running>();
  #taking: Taking | undefined;
  #round: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  /** What was wrong at the last look. */
  #fault: string | undefined;

  private constructor(options: JobWorkerOptions) {
    const defaults = { clock: systemClock, concurrency: 1, lease: 30, beat: 1, grace: 10, mask: asItIs };
    this.#options = { ...defaults, ...options };
    this.#store = new JobStore(options.storage);
  }

  /** Starts to work. @throws STORAGE_FAILED, QUEUE_FAILED */
  static async start(options: JobWorkerOptions): Promise<JobWorker> {
    const worker = new JobWorker(options);
    worker.#taking = await options.queue.take((id) => worker.#take(id), worker.#options.concurrency);
    await worker.#announceWaiting();
    worker.#lookAgain();
    return worker;
  }

  /** The jobs at hand. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Stops the work on a job that was cancelled, if it is here, sooner than the next beat. */
  noticeCancel(id: string): void {
    this.#running.get(id)?.stop("cancelled");
  }

  /** Stops in an orderly way: the jobs at hand are let go of, for another worker to go on with. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#round);
    for (const { stop } of this.#running.values()) stop("stopped");
    await Promise.all([...this.#running.values()].map(({ over }) => over));
    await this.#looking;
    await this.#taking?.stop();
  }

  #lookAgain(): void {
    if (this.#stopped) return;
    this.#round = setTimeout(() => {
      this.#looking = this.#announceWaiting()
        .then(
          () => this.#complain(undefined),
          (error: unknown) => this.#complain(messageOf(error)),
        )
        .then(() => this.#lookAgain());
    }, this.#options.beat * 1000);
    this.#round.unref();
  }

  /** Says what is wrong with storage or queue once, not with every look. */
  #complain(fault: string | undefined): void {
    if (fault === this.#fault) return;
    if (fault !== undefined) this.#options.logger.warn(fault);
    else this.#options.logger.info(`${this.name}: storage and queue answer again`);
    this.#fault = fault;
  }

  /** What nobody announced: jobs of before a restart, of other processes, of lost workers. */
  async #announceWaiting(): Promise<void> {
    for (const { id, kind } of await this.#store.waiting()) {
      if (this.#running.has(id) || !this.#options.kinds.has(kind)) continue;
      await this.#options.queue.announce(id);
    }
  }

  async #take(id: string): Promise<void> {
    // One that is here already has a lease that lapsed: its worker, this process, was held up.
    if (this.#stopped || this.#running.has(id)) return;
    let over = () => {};
    const stop = new AbortController();
    const told = (reason: StopReason) => {
      if (!stop.signal.aborted) stop.abort(reason);
    };
    this.#running.set(id, {
      stop: told,
      over: new Promise((resolve) => {
        over = resolve;
      }),
    });
    try {
      await this.#claimAndWork(id, stop, told);
    } catch (error) {
      this.#options.logger.warn(`job ${id}: ${this.#options.mask(messageOf(error))}`);
    } finally {
      this.#running.delete(id);
      over();
    }
  }

  async #claimAndWork(id: string, stop: AbortController, told: (reason: StopReason) => void): Promise<void> {
    const { kinds, lease, beat, clock, logger, mask } = this.#options;
    const known = await this.#store.find(id);
    if (known === undefined || !kinds.has(known.kind)) return;
    // Another name for every lease: one that lapsed is not taken for the next.
    const holder = `${this.name}-${randomBytes(3).toString("hex")}`;
    const job = await this.#store.claim(id, holder, lease);
    if (job === undefined) return;
    const log = new JobLog(this.#store.logs, id, mask);
    const lost = job.lapses > known.lapses ? ": the worker before was lost" : "";
    log.add(`taken by ${this.name}${lost}`);
    logger.info(`job ${id} (${job.kind}): begun`);
    const meter = new ProgressMeter(clock, job.progress);
    const progress = () => meter.progress;
    const hearts = new HeartBeat({
      store: this.#store,
      id,
      holder,
      lease,
      beat,
      clock,
      progress,
      lost: told,
    });
    const outcome = await this.#run(job, log, meter, stop.signal).finally(() => hearts.stop());
    await this.#end({ id, holder, meter, log }, stop.signal, outcome);
    logger.info(`job ${id} (${job.kind}): ${(await this.#store.find(id))?.status ?? "removed"}`);
  }

  async #run(job: Job, log: JobLog, meter: ProgressMeter, signal: AbortSignal): Promise<Outcome> {
    const { kinds, grace, storage } = this.#options;
    try {
      const kind = kinds.lookup(job.kind);
      const work = kind.run({
        id: job.id,
        params: parseParams(kind, job.kind, job.params),
        stages: storedStages(storage, job.id),
        storage,
        signal,
        progress: (done, total) => meter.count(done, total),
        log: (message) => log.add(message),
      });
      return { result: (await untilStopped(work, signal, grace)) ?? null };
    } catch (error) {
      return { error };
    }
  }

  async #end({ id, holder, meter, log }: Held, signal: AbortSignal, outcome: Outcome): Promise<void> {
    const reason = signal.reason as StopReason | undefined;
    if ("result" in outcome && (reason === undefined || reason === "stopped")) {
      await log.flush();
      await this.#store.complete(id, holder, meter.progress, outcome.result);
      return;
    }
    if (reason === "cancelled" || reason === "lost") {
      log.add(
        reason === "cancelled" ? "cancelled" : `${this.name} was held up too long and has lost the job`,
      );
      await log.flush();
      return;
    }
    if (reason === "stopped") {
      log.add(`${this.name} stops; another worker may go on`);
      await log.flush();
      await this.#store.release(id, holder, meter.progress);
      return;
    }
    const { error } = outcome as { error: unknown };
    const code = error instanceof ElenchusError ? error.code : "INTERNAL";
    const message = this.#options.mask(messageOf(error));
    log.add(`failed [${code}]: ${message}`);
    await log.flush();
    // The storage may come back: the lease lapses, and whoever takes the job goes on behind the last row.
    if (code === "STORAGE_FAILED") throw error;
    await this.#store.fail(id, holder, meter.progress, { code, message });
  }
}

/** A job at hand. */
interface Held {
  readonly id: string;
  readonly holder: string;
  readonly meter: ProgressMeter;
  readonly log: JobLog;
}

type Outcome = { readonly result: JsonValue } | { readonly error: unknown };

function asItIs(text: string): string {
  return text;
}
