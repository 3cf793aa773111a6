import { type Logger, messageOf, type Registry } from "../../base/index.js";
import type { JobQueue } from "../queue/index.js";
import { openQueue, type QueueSettings } from "../queue/index.js";
import { openStorage, type Storage, type StorageSettings } from "../storage/index.js";
import type { Job, JobKind } from "./job.js";
import { type JobRequest, JobStore } from "./jobStore.js";
import { JobWorker } from "./jobWorker.js";

/** The keys of `[service]` that say where jobs are kept and done. */
export interface JobServiceSettings extends StorageSettings, QueueSettings {
  /** Most jobs at once in this process; 0: none is done here, only by workers elsewhere. */
  readonly concurrency: number;
}

/** What a service of jobs is given beside its settings. */
export interface JobServiceOptions {
  readonly kinds: Registry<JobKind>;
  readonly logger: Logger;
  /** Takes what must not be seen, as tokens, out of a text that is logged or stored. */
  readonly mask?: (text: string) => string;
}

/** Storage, queue and, unless it only takes orders, a worker of one process. */
export class JobService {
  readonly storage: Storage;
  readonly store: JobStore;
  readonly #queue: JobQueue;
  readonly #options: JobServiceOptions;
  #worker: JobWorker | undefined;

  private constructor(storage: Storage, queue: JobQueue, options: JobServiceOptions) {
    this.storage = storage;
    this.store = new JobStore(storage);
    this.#queue = queue;
    this.#options = options;
  }

  /**
   * Opens storage and queue and begins to work, on jobs of before a restart too.
   * @throws STORAGE_FAILED, QUEUE_FAILED
   */
  static async open(settings: JobServiceSettings, options: JobServiceOptions): Promise<JobService> {
    const storage = await openStorage(settings);
    let queue: JobQueue | undefined;
    try {
      queue = await openQueue(settings, storage);
      const service = new JobService(storage, queue, options);
      const { concurrency, lease } = settings;
      if (concurrency > 0) {
        service.#worker = await JobWorker.start({ ...options, storage, queue, concurrency, lease });
      }
      return service;
    } catch (error) {
      await queue?.close();
      await storage.close();
      throw error;
    }
  }

  /** Where the data and the queue are, for a person. */
  get places(): { readonly storage: string; readonly queue: string } {
    return { storage: this.storage.place, queue: this.#queue.place };
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

  /** Lets go of the jobs at hand and closes everything. */
  async close(): Promise<void> {
    await this.#worker?.stop();
    await this.#queue.close();
    await this.storage.close();
  }
}
