import type { Worker } from "node:worker_threads";
import type { Logger } from "../logger.js";
import { entryFile, loadedModules } from "../program.js";
import type { FromThread, PlacedInput, ThreadStart, ThreadWork } from "./rowWork.js";
import { startThread } from "./startThread.js";

/** Rows that a thread has in hand. */
export interface Handed {
  readonly work: number;
  readonly make: ThreadWork;
  readonly rows: readonly PlacedInput[];
}

/** Hears of a thread. */
export interface ThreadListener {
  /** It has answered, and has nothing in hand. */
  answered(answer: FromThread): void;
  /** It is no more. @param at place of the row that it had in hand, -1 for none. @param why in words */
  gone(at: number, why: string): void;
}

/** One thread that does row work. */
export class RowThread {
  readonly #worker: Worker;
  readonly #place: Int32Array;
  readonly #known = new Set<number>();
  #last = -1;
  #why = "it has ended by itself";
  #gone = false;
  #answered = false;

  /** @param memory megabytes that it may hold */
  constructor(memory: number, logger: Logger, listener: ThreadListener) {
    const state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    this.#place = new Int32Array(state).fill(-1);
    const workerData: ThreadStart = { modules: loadedModules(), state };
    this.#worker = startThread(entryFile(import.meta.url, "./threadMain"), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memory },
      stdout: true,
      stderr: true,
    });
    // What users' modules print must not come between the lines of a document.
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => logger.info(`[thread] ${text.trimEnd()}`));
    }
    this.#worker.on("message", (answer: FromThread) => {
      if (this.#gone) return;
      this.#worker.unref();
      this.#answered = true;
      if ("unmade" in answer) this.#known.delete(this.#last);
      listener.answered(answer);
    });
    this.#worker.on("error", (error: Error & { code?: string }) => {
      this.#why =
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it needed more than ${memory} MiB` : error.message;
    });
    this.#worker.on("exit", () => {
      if (this.#gone) return;
      this.#gone = true;
      listener.gone(Atomics.load(this.#place, 0), this.#why);
    });
    this.#worker.unref();
  }

  /** Place in its piece of the row under way; -1 while it begins, and when it has none. */
  get place(): number {
    return Atomics.load(this.#place, 0);
  }

  /** Whether it has answered before, and may hold what an earlier piece left behind. */
  get hasAnswered(): boolean {
    return this.#answered;
  }

  /** @throws DataCloneError for rows that cannot be sent; then it has nothing in hand */
  hand({ work, make, rows }: Handed): void {
    this.#worker.postMessage({ work, rows, ...(!this.#known.has(work) && { make }) });
    this.#known.add(work);
    this.#last = work;
    this.#worker.ref();
  }

  /** It need not keep that work any longer. */
  forget(work: number): void {
    if (this.#known.delete(work) && !this.#gone) this.#worker.postMessage({ forget: work });
  }

  /** Ends it at once. Nothing more is heard of it. */
  async end(): Promise<void> {
    this.#gone = true;
    await this.#worker.terminate();
  }
}
