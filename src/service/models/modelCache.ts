import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type ModelReference,
  type ModelSurroundings,
  type OpenedModel,
  openModel,
  parseModelReference,
} from "../../language/index.js";
import { findCheckpoint } from "../../language/references/runModel.js";

/** How models are kept. */
export interface ModelCacheOptions extends ModelSurroundings {
  /** Models that nobody uses and that stay loaded. Default 1. */
  readonly idle?: number | undefined;
}

/** A model in use, or waiting for its next use. */
interface Held {
  readonly key: string;
  readonly opened: Promise<OpenedModel>;
  users: number;
}

/**
 * Opens models by reference, each once however many use it at a time, and keeps a few for the next that asks. Weights that
 * have changed on the disk are another model.
 */
export class ModelCache {
  readonly #options: ModelCacheOptions;
  /** In the order of their last use. */
  #held: Held[] = [];
  #closed = false;

  constructor(options: ModelCacheOptions = {}) {
    this.#options = options;
  }

  /**
   * A model, for as long as it is not released.
   * @param reference as `parseModelReference` reads it
   * @throws as `parseModelReference` and `openModel`; USAGE once the cache is closed
   */
  async open(reference: unknown): Promise<OpenedModel> {
    const parsed = parseModelReference(reference);
    await this.#options.admit?.(parsed);
    // Once for each use: the model is its owner's.
    if ("self" in parsed || this.#closed) return await openModel(parsed, this.#options);
    const fixed = await settled(parsed, this.#options);
    const key = JSON.stringify(fixed);
    const found = this.#held.find((one) => one.key === key);
    const held = found ?? {
      key,
      opened: openModel(fixed.reference, { ...this.#options, admit: undefined }),
      users: 0,
    };
    held.users += 1;
    this.#held = [...this.#held.filter((one) => one !== held), held];
    try {
      const opened = await held.opened;
      return { ...opened, release: once(() => this.#release(held)) };
    } catch (error) {
      // What has failed may be asked for again.
      this.#held = this.#held.filter((one) => one !== held);
      throw error;
    }
  }

  /** Frees all models that nobody uses; those in use follow when they are released. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#free(0);
  }

  async #release(held: Held): Promise<void> {
    held.users -= 1;
    await this.#free(this.#closed ? 0 : (this.#options.idle ?? 1));
  }

  async #free(idle: number): Promise<void> {
    const unused = this.#held.filter(({ users }) => users === 0);
    const leaving = new Set(unused.slice(0, Math.max(0, unused.length - idle)));
    this.#held = this.#held.filter((one) => !leaving.has(one));
    for (const { opened } of leaving) await (await opened).release();
  }
}

/** A reference with nothing left open: which round, and which state of a folder's files. */
async function settled(
  reference: ModelReference,
  surroundings: ModelSurroundings,
): Promise<{ reference: ModelReference; files?: unknown }> {
  if ("run" in reference) {
    const { checkpoint } = await findCheckpoint(reference, surroundings);
    const { mtimeMs, size } = await stat(checkpoint.path);
    return { reference: { ...reference, round: checkpoint.round }, files: [checkpoint.path, mtimeMs, size] };
  }
  if (!("pretrained" in reference)) return { reference };
  const files = ["config.json", "model.safetensors", "tokenizer.json"].map((name) =>
    stat(join(reference.pretrained, name)).then(
      ({ mtimeMs, size }) => [name, mtimeMs, size],
      () => [name],
    ),
  );
  return { reference, files: await Promise.all(files) };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
