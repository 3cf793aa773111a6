import { ElenchusError } from "../../base/index.js";
import { type Storage, shownAddress } from "../storage/index.js";
import type { JobQueue } from "./jobQueue.js";
import { ProcessQueue } from "./processQueue.js";

/** How jobs reach workers: the keys of `[service]`. */
export interface QueueSettings {
  /** `redis://…`; absent: the process that takes a job does it, or any that has the same storage open. */
  readonly queue?: string | undefined;
  /** Seconds. */
  readonly lease: number;
}

/** Opens the queue that the settings name. @throws QUEUE_FAILED */
export async function openQueue({ queue, lease }: QueueSettings, storage: Storage): Promise<JobQueue> {
  if (queue === undefined) return new ProcessQueue();
  if (!/^rediss?:\/\//.test(queue)) {
    throw new ElenchusError(
      "QUEUE_FAILED",
      `service.queue is ${shownAddress(queue)}. Expected redis://HOST:PORT or rediss://…, or no such key: then no server is needed.`,
    );
  }
  // Only here: who needs no Redis need not load its client.
  const { RedisQueue } = await import("./redisQueue.js");
  return RedisQueue.open(queue, storage, { lease });
}
