import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ElenchusError } from "../base/index.js";
import { throwIfStopped } from "./hubConnection.js";

/** How a lock is waited for. Milliseconds. */
export interface LockOptions {
  /** A lock whose owner has not been heard of for so long belongs to a process that is gone. Default 20,000. */
  readonly stale?: number;
  /** Longest wait. Default an hour. */
  readonly deadline?: number;
  /** Called once when the lock is found taken. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_STALE = 20_000;
const DEFAULT_DEADLINE = 3_600_000;

/**
 * Does `work` while no other process does it under the same lock. The lock is a file that its owner touches
 * again and again. Two owners are possible only when one was stopped for longer than `stale` and wakes up:
 * `work` must bear that, a checked content and a rename do.
 * @throws DEADLINE_EXCEEDED, INTERRUPTED
 */
export async function withFileLock<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const stale = options.stale ?? DEFAULT_STALE;
  const owner = `${process.pid} ${randomBytes(8).toString("hex")}`;
  await acquire(path, owner, stale, options);
  const heart = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, stale / 4);
  heart.unref();
  try {
    return await work();
  } finally {
    clearInterval(heart);
    const present = await readFile(path, "utf8").catch(() => undefined);
    if (present === owner) await rm(path, { force: true });
  }
}

async function acquire(path: string, owner: string, stale: number, options: LockOptions): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const deadline = performance.now() + (options.deadline ?? DEFAULT_DEADLINE);
  for (let waits = 0; ; waits++) {
    throwIfStopped(options.signal);
    if (await create(path, owner)) return;
    if (waits === 0) options.onWait?.();
    const touched = await stat(path).then(
      (file) => file.mtimeMs,
      () => undefined,
    );
    if (touched !== undefined && Date.now() - touched > stale) {
      // Of several that find it stale one gets the rename through; the others wait on.
      const grave = `${path}.${owner.split(" ")[1]}`;
      await rename(path, grave).catch(() => {});
      await rm(grave, { force: true });
      continue;
    }
    if (performance.now() > deadline) {
      throw new ElenchusError(
        "DEADLINE_EXCEEDED",
        `Another process has held ${path} for too long. End it, or remove the file if there is none.`,
      );
    }
    await sleep(Math.min(250, 20 * (waits + 1)), undefined, { signal: options.signal }).catch(() => {});
  }
}

async function create(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(owner);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
