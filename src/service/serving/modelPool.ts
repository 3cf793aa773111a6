import { ElenchusError, type Logger, messageOf } from "../../base/index.js";
import type { LanguageModel } from "../../language/index.js";
import { oneAtATime } from "./oneAtATime.js";

/** A model that was opened for a while. */
export interface OpenedModel {
  readonly model: LanguageModel;
  /** Whether it is computed in this process, so that it takes memory and its calls take turns. */
  readonly local: boolean;
  release(): Promise<void>;
}

/** A model that may be asked by a name. */
export interface NamedModel {
  readonly name: string;
  readonly reference: string;
}

/** What the pool needs. */
export interface ModelPoolOptions {
  /** Opens a model by its reference. @throws why it cannot be opened, or may not */
  readonly open: (reference: string, signal: AbortSignal | undefined) => Promise<OpenedModel>;
  /** Names for references, first those of the configuration. */
  readonly names: () => Promise<readonly NamedModel[]>;
  /** Local models that are kept while nobody uses them. */
  readonly kept: number;
  readonly logger: Logger;
}

/**
 * Models by name or reference. A model is loaded once, however many use it; one that nobody uses stays until others
 * need its place. One that is in use is never taken away, so more than `kept` may be held for a while.
 */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  /** Those used last stand last. */
  readonly #held = new Map<string, Held>();
  #closed = false;

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly NamedModel[]> {
    return await this.#options.names();
  }

  /** Does some work with a model. @throws what opening it throws, and what the work throws */
  async use<T>(
    name: string,
    signal: AbortSignal | undefined,
    work: (model: LanguageModel) => Promise<T>,
  ): Promise<T> {
    const { model, release } = await this.acquire(name, signal);
    try {
      return await work(model);
    } finally {
      await release();
    }
  }

  /** A model for as long as it is not released. @throws what opening it throws */
  async acquire(
    name: string,
    signal?: AbortSignal,
  ): Promise<{ readonly model: LanguageModel; release(): Promise<void> }> {
    if (this.#closed) throw new ElenchusError("INTERRUPTED", "The service is stopping; models are closed.");
    const reference = (await this.list()).find((one) => one.name === name)?.reference ?? name;
    const held = this.#held.get(reference) ?? this.#open(reference);
    this.#held.delete(reference);
    this.#held.set(reference, held);
    held.users += 1;
    try {
      const { model } = await abortable(held.opened, signal);
      let released = false;
      return {
        model,
        release: async () => {
          if (released) return;
          released = true;
          held.users -= 1;
          await this.#makeRoom();
        },
      };
    } catch (error) {
      held.users -= 1;
      throw error;
    }
  }

  /** Frees all of them, those in use too. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#held.values()];
    this.#held.clear();
    await Promise.all(all.map((held) => this.#release(held)));
  }

  #open(reference: string): Held {
    // Whoever asked first may go away: loading goes on for the others.
    const opened = this.#options.open(reference, undefined).then((found) => ({
      ...found,
      model: found.local ? oneAtATime(found.model) : found.model,
    }));
    const held: Held = { reference, users: 0, opened };
    opened.catch(() => {
      if (this.#held.get(reference) === held) this.#held.delete(reference);
    });
    return held;
  }

  async #makeRoom(): Promise<void> {
    const idle = [...this.#held.values()].filter(({ users }) => users === 0);
    for (const held of idle.slice(0, Math.max(0, idle.length - this.#options.kept))) {
      this.#held.delete(held.reference);
      await this.#release(held);
    }
  }

  async #release({ reference, opened }: Held): Promise<void> {
    try {
      await (await opened).release();
    } catch (error) {
      this.#options.logger.debug(`The model ${reference} was not released: ${messageOf(error)}`);
    }
  }
}

interface Held {
  readonly reference: string;
  readonly opened: Promise<OpenedModel>;
  users: number;
}

/** Waits for a promise until the signal says that nobody wants it any more. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise;
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}
