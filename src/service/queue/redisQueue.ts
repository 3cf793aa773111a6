import { randomUUID } from "node:crypto";
import { Queue, UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { ElenchusError, messageOf, sentence, withDeadline } from "../../base/index.js";
import { type Storage, shownAddress } from "../storage/index.js";
import type { JobQueue, Taking } from "./jobQueue.js";

/** How a queue in Redis is used. */
export interface RedisQueueOptions {
  /** Seconds after which a worker that says nothing counts as lost. Default 30. */
  readonly lease?: number;
  /** Seconds that Redis may take to answer. Default 10. */
  readonly deadline?: number;
}

const QUEUE = "jobs";

/** BullMQ on Redis: workers on several machines share the jobs. */
export class RedisQueue implements JobQueue {
  readonly place: string;
  readonly #address: string;
  readonly #prefix: string;
  readonly #lease: number;
  readonly #deadline: number;
  readonly #connection: Redis;
  readonly #queue: Queue;

  private constructor(address: string, prefix: string, { lease = 30, deadline = 10 }: RedisQueueOptions) {
    this.place = shownAddress(address);
    this.#address = address;
    this.#prefix = prefix;
    this.#lease = lease * 1000;
    this.#deadline = deadline * 1000;
    this.#connection = connect(address, this.#deadline);
    this.#queue = new Queue(QUEUE, { connection: this.#connection, prefix });
    // What fails is told where it was asked for; a broken connection is made anew.
    this.#queue.on("error", () => {});
  }

  /**
   * Opens the queue of a storage: services with other storages have others on the same Redis.
   * @throws QUEUE_FAILED
   */
  static async open(address: string, storage: Storage, options: RedisQueueOptions = {}): Promise<RedisQueue> {
    const queue = new RedisQueue(address, `elenchus-${await identityOf(storage)}`, options);
    try {
      await queue.#safely(queue.#queue.waitUntilReady());
    } catch (error) {
      await queue.close();
      throw error;
    }
    return queue;
  }

  async announce(id: string): Promise<void> {
    // A name of its own in BullMQ's sense: said twice while it waits or is worked on, it is there once.
    const jobId = `job-${encodeURIComponent(id)}`;
    const settings = { jobId, removeOnComplete: true, removeOnFail: true };
    await this.#safely(this.#queue.add("job", { id }, settings));
  }

  async take(work: (id: string) => Promise<void>, concurrency: number): Promise<Taking> {
    const connection = connect(this.#address, this.#deadline, { waiting: true });
    const worker = new Worker(
      QUEUE,
      async ({ data }: { data: unknown }) => {
        const id = idOf(data);
        if (id === undefined) throw new UnrecoverableError("not a job of this service");
        await work(id);
      },
      {
        connection,
        prefix: this.#prefix,
        concurrency,
        lockDuration: this.#lease,
        stalledInterval: this.#lease / 2,
        // How often a job may lose its worker is counted in the storage.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      },
    );
    worker.on("error", () => {});
    await this.#safely(worker.waitUntilReady()).catch(async (error: unknown) => {
      await worker.close(true);
      connection.disconnect();
      throw error;
    });
    return {
      stop: async () => {
        // The work at hand has ended by now; a Redis that is away need not hear of it.
        await this.#safely(worker.close()).catch(() => worker.close(true));
        connection.disconnect();
      },
    };
  }

  async close(): Promise<void> {
    await this.#queue.close().catch(() => {});
    this.#connection.disconnect();
  }

  async #safely<T>(answer: Promise<T>): Promise<T> {
    try {
      return await withDeadline(answer, this.#deadline, `Redis at ${this.place}`);
    } catch (error) {
      throw new ElenchusError(
        "QUEUE_FAILED",
        `The queue ${this.place} cannot be used: ${sentence(messageOf(error))} Expected a Redis server, version 6.2 or newer; see service.queue.`,
        { cause: error },
      );
    }
  }
}

/** @param waiting a connection that waits for jobs, and for Redis to come back */
function connect(address: string, deadline: number, { waiting = false } = {}): Redis {
  const connection = new Redis(address, {
    connectTimeout: deadline,
    maxRetriesPerRequest: waiting ? null : 3,
    retryStrategy: (attempt) => Math.min(2000, 100 * attempt),
  });
  connection.on("error", () => {});
  return connection;
}

/** A name for this storage, made by whoever asks first. */
async function identityOf(storage: Storage): Promise<string> {
  await storage.create("service", "identity", { id: randomUUID() });
  return String((await storage.get("service", "identity"))?.value.id);
}

function idOf(data: unknown): string | undefined {
  const id: unknown = typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
  return typeof id === "string" ? id : undefined;
}
