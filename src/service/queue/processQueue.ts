import type { JobQueue, Taking } from "./jobQueue.js";

/** The queue of a service that works alone, or whose workers share nothing but the storage: a list in memory. */
export class ProcessQueue implements JobQueue {
  readonly place = "this process";
  /** In the order of their announcement, each once. */
  readonly #waiting = new Set<string>();
  readonly #takers = new Set<() => void>();

  announce(id: string): Promise<void> {
    this.#waiting.add(id);
    for (const look of this.#takers) look();
    return Promise.resolve();
  }

  take(work: (id: string) => Promise<void>, concurrency: number): Promise<Taking> {
    const running = new Set<Promise<void>>();
    const look = () => {
      while (running.size < concurrency) {
        const [id] = this.#waiting;
        if (id === undefined) return;
        this.#waiting.delete(id);
        const done: Promise<void> = work(id).finally(() => {
          running.delete(done);
          if (this.#takers.has(look)) look();
        });
        running.add(done);
      }
    };
    this.#takers.add(look);
    look();
    return Promise.resolve({
      stop: async () => {
        this.#takers.delete(look);
        await Promise.all(running);
      },
    });
  }

  close(): Promise<void> {
    this.#waiting.clear();
    return Promise.resolve();
  }
}
