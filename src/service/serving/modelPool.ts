import { ElenchusError, type Logger, messageOf } from "../../base/index.js";
import type { LanguageModel, OpenedModel as OpenedReference } from "../../language/index.js";
import { type Completions, completionsBy } from "../completions/completions.js";
import { abortable } from "./abortable.js";
import { oneAtATime } from "./oneAtATime.js";

/** A model that was opened for a while. */
export interface OpenedModel extends OpenedReference {
  /** Whether it is computed on this machine, so that it takes memory and its calls take turns. */
  readonly local: boolean;
  /** Who answers OpenAI's protocol for it, where that is not this process. */
  readonly completions?: Completions | undefined;
}

/** Who answers OpenAI's protocol for a model. */
export function completionsOf({ completions, model }: OpenedModel): Completions {
  return completions ?? completionsBy(model);
}

/** A model that may be asked by a name. */
export interface NamedModel {
  readonly name: string;
  /** How it is named in full, without secrets. */
  readonly reference: string;
}

/** A model that has been found, and not been opened yet. */
export interface FoundModel {
  /** The same for whatever names the same weights. */
  readonly key: string;
  /** Rejects soon after the signal, which says that the pool is closed. */
  open(signal: AbortSignal): Promise<OpenedModel>;
}

/** What the pool needs. */
export interface ModelPoolOptions {
  /** Finds a model by a name or a reference. @throws why there is none, or why it may not be opened */
  readonly find: (name: unknown) => Promise<FoundModel>;
  /** Models by name, for those who look for one. */
  readonly list: () => Promise<readonly NamedModel[]>;
  /** Local models that are kept while nobody uses them. */
  readonly kept: number;
  readonly logger: Logger;
}

/** Models of other servers that are kept while nobody uses them: they hold a tokenizer at most. */
const REMOTE_KEPT = 32;

/**
 * Models by name or reference. A model is loaded once, however many use it; one that nobody uses stays until others
 * need its place. One that is in use is never taken away, so more than `kept` may be held for a while.
 */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  /** Those used last stand last. */
  readonly #held = new Map<string, Held>();
  /** Those that are going away. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly NamedModel[]> {
    return await this.#options.list();
  }

  /** Whether a model can be had, without opening it. @throws why not */
  async find(name: unknown): Promise<void> {
    await this.#options.find(name);
  }

  /** Does some work with a model. @throws what opening it throws, and what the work throws */
  async use<T>(
    name: unknown,
    signal: AbortSignal | undefined,
    work: (model: LanguageModel, opened: OpenedModel) => Promise<T>,
  ): Promise<T> {
    const { opened, release } = await this.acquire(name, signal);
    try {
      return await work(opened.model, opened);
    } finally {
      await release();
    }
  }

  /** A model for as long as it is not released. @throws what opening it throws */
  async acquire(
    name: unknown,
    signal?: AbortSignal,
  ): Promise<{ readonly opened: OpenedModel; release(): Promise<void> }> {
    this.#closing.signal.throwIfAborted();
    const found = await this.#options.find(name);
    this.#closing.signal.throwIfAborted();
    signal?.throwIfAborted();
    const held = this.#held.get(found.key) ?? this.#open(found);
    this.#held.delete(found.key);
    this.#held.set(found.key, held);
    held.users += 1;
    try {
      const opened = await abortable(held.opened, signal);
      let released = false;
      return {
        opened,
        release: async () => {
          if (released) return;
          released = true;
          held.users -= 1;
          this.#makeRoom();
        },
      };
    } catch (error) {
      held.users -= 1;
      this.#makeRoom();
      throw error;
    }
  }

  /** Frees all of them, those in use and those that are loading too. */
  async close(): Promise<void> {
    this.#closing.abort(new ElenchusError("INTERRUPTED", "The service is stopping; models are closed."));
    for (const held of this.#held.values()) this.#free(held);
    await Promise.all(this.#leaving);
  }

  #open({ key, open }: FoundModel): Held {
    // Whoever asked first may go away: loading goes on for the others.
    const opened = open(this.#closing.signal).then((model) =>
      // Those in a process of their own take turns there.
      model.local && model.completions === undefined ? { ...model, model: oneAtATime(model.model) } : model,
    );
    const held: Held = { key, users: 0, local: undefined, opened };
    opened.then(
      ({ local }) => {
        held.local = local;
        // All who asked may have gone away meanwhile.
        this.#makeRoom();
      },
      () => {
        if (this.#held.get(key) === held) this.#held.delete(key);
      },
    );
    return held;
  }

  /** Nobody waits for it: a model that goes away is no concern of who was just answered. */
  #makeRoom(): void {
    const idle = [...this.#held.values()].filter(({ users }) => users === 0);
    for (const [local, kept] of [
      [true, this.#options.kept],
      [false, REMOTE_KEPT],
    ] as const) {
      const some = idle.filter((held) => held.local === local);
      for (const held of some.slice(0, Math.max(0, some.length - kept))) this.#free(held);
    }
  }

  #free(held: Held): void {
    this.#held.delete(held.key);
    const leaving = this.#release(held).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async #release({ key, opened }: Held): Promise<void> {
    try {
      await (await opened).release();
    } catch (error) {
      this.#options.logger.debug(`The model ${key} was not released: ${messageOf(error)}`);
    }
  }
}

interface Held {
  readonly key: string;
  readonly opened: Promise<OpenedModel>;
  /** As of the model; undefined until it is loaded. */
  local: boolean | undefined;
  users: number;
}
