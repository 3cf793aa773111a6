import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Logger, messageOf, withDeadline, writeAtomic } from "../../base/index.js";
import type { RunStatus } from "../manifest.js";
import type { Mirror, MirroredRow, MirroredRun } from "./mirror.js";

/** Milliseconds that the end of a run waits for mirrors that lag behind. */
const FAREWELL = 15_000;

const known = z.record(z.string(), z.string());

/**
 * Hands every row to every mirror, each at its own pace and in order: nobody waits for them but the end of the run,
 * and that not for long. A mirror that fails is told once and then left out.
 */
export class MirrorSet {
  readonly #logger: Logger;
  readonly #queues: Map<Mirror, Promise<void>>;
  readonly #left = new Set<Mirror>();

  /** Begins with the run, or goes on with it where `<run folder>/mirrors.json` knows it. */
  constructor(mirrors: readonly Mirror[], run: MirroredRun, logger: Logger) {
    this.#logger = logger;
    const file = join(run.folder, "mirrors.json");
    const before: Promise<Record<string, string>> =
      mirrors.length === 0 ? Promise.resolve({}) : knownIn(file);
    const ids = new Map<string, string>();
    let saved = Promise.resolve();
    this.#queues = new Map(mirrors.map((mirror) => [mirror, Promise.resolve()]));
    this.#each(async (mirror) => {
      const names = new Map(Object.entries(await before));
      ids.set(mirror.name, await mirror.begin(run, names.get(mirror.name)));
      // One after the other, so that the last one to write knows of all.
      const text = () => `${JSON.stringify(Object.fromEntries([...names, ...ids]), null, 2)}\n`;
      saved = saved.then(() => writeAtomic(file, text()));
      await saved;
    });
  }

  log(row: MirroredRow): void {
    this.#each((mirror) => mirror.log(row));
  }

  async end(status: Exclude<RunStatus, "running">, time: number): Promise<void> {
    this.#each((mirror) => mirror.end(status, time));
    try {
      await withDeadline(Promise.all(this.#queues.values()), FAREWELL, "Mirroring the last rows");
    } catch (error) {
      this.#logger.warn(`${messageOf(error)} The record itself is complete.`);
    }
  }

  #each(work: (mirror: Mirror) => Promise<void>): void {
    for (const [mirror, queue] of this.#queues) {
      const next = queue.then(async () => {
        if (this.#left.has(mirror)) return;
        try {
          await work(mirror);
        } catch (error) {
          this.#left.add(mirror);
          this.#logger.warn(
            `The mirror "${mirror.name}" gets no more rows: ${messageOf(error)}. The run goes on, and its record is complete.`,
          );
        }
      });
      this.#queues.set(mirror, next);
    }
  }
}

/** What a run of before was known by; nothing where it had no mirrors or the file cannot be read. */
async function knownIn(file: string): Promise<Record<string, string>> {
  try {
    return known.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return {};
  }
}
