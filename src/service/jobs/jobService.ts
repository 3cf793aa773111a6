import { type Logger, messageOf, type Registry } from "../../base/index.js";
import { type JobQueue, openQueue, type QueueSettings } from "../queue/index.js";
import type { Storage } from "../storage/index.js";
import type { Job, JobKind } from "./job.js";
import { type JobRequest, JobStore } from "./jobStore.js";
import { JobWorker } from "./jobWorker.js";

/** What a service of jobs is made of. */
export interface JobServiceOptions {
  /** Stays open when the service is closed. */
  readonly storage: Storage;
  readonly kinds: Registry<JobKind>;
  readonly logger: Logger;
  /** The keys of `[service]`. */
  readonly settings: JobServiceSettings;
  /** Takes what must not be seen, as tokens, out of a text that is logged or stored. */
  readonly mask?: (text: string) => string;
}

/** The keys of `[service]` that say how jobs are done. */
export interface JobServiceSettings extends QueueSettings {
  /** Most jobs at once in this process; 0: none is done here, only by workers elsewhere. */
  readonly concurrency: number;
}

/** Jobs of one process: it takes orders and, unless `concurrency` is 0, does the work. */
export class JobService {
  readonly store: JobStore;
  readonly #options: JobServiceOptions;
  readonly #queue: JobQueue;
  #worker: JobWorker | undefined;

  private constructor(options: JobServiceOptions, queue: JobQueue) {
    this.store = new JobStore(options.storage);
    this.#options = options;
    this.#queue = queue;
  }

  /**
   * Opens the queue and begins to work, on jobs of before a restart too.
   * @throws STORAGE_FAILED, QUEUE_FAILED
   */
  static async start(options: JobServiceOptions): Promise<JobService> {
    const { storage, settings } = options;
    const queue = await openQueue(settings, storage);
    const service = new JobService(options, queue);
    const { concurrency, lease } = settings;
    if (concurrency === 0) return service;
    try {
      service.#worker = await JobWorker.start({ ...options, queue, concurrency, lease });
      return service;
    } catch (error) {
      await queue.close();
      throw error;
    }
  }

  /** Where the queue is, for a person. */
  get queuePlace(): string {
    return this.#queue.place;
  }

  /** The name of this process's worker in the logs of jobs; undefined where it does none. */
  get workerName(): string | undefined {
    return this.#worker?.name;
  }

  /**
   * Stores a job and says that it waits. An id that has a job already gives that one.
   * @throws NAME_UNKNOWN, JOB_PARAMS, STORAGE_FAILED
   */
  async submit(request: JobRequest): Promise<{ job: Job; created: boolean }> {
    const made = await this.store.create(request, this.#options.kinds);
    if (made.created) {
      await this.#queue.announce(made.job.id).catch((error: unknown) => {
        // It is stored: the workers' round finds it.
        this.#options.logger.warn(messageOf(error));
      });
    }
    return made;
  }

  /** @throws JOB_UNKNOWN, JOB_ENDED */
  async cancel(id: string): Promise<Job> {
    const job = await this.store.cancel(id);
    this.#worker?.noticeCancel(id);
    return job;
  }

  /** Lets go of the jobs at hand, for another worker to go on with, and closes the queue. */
  async close(): Promise<void> {
    await this.#worker?.stop();
    await this.#queue.close();
  }
}
