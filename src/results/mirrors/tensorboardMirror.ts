import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../base/index.js";
import { scalarsRecord, versionRecord } from "./eventFile.js";
import type { Mirror, MirroredRow, MirroredRun } from "./mirror.js";

/** Event files in the run's folder, for `tensorboard --logdir <results folder>`. */
export class TensorboardMirror implements Mirror {
  readonly name = "tensorboard";
  #file = "";

  /** A run that goes on has a file of its own for what follows, as TensorBoard expects it. */
  async begin({ folder, time }: MirroredRun): Promise<string> {
    const seconds = time / 1000;
    const name = `events.out.tfevents.${Math.floor(seconds).toString().padStart(10, "0")}.elenchus.${process.pid}`;
    await makeFolder(join(folder, "tensorboard"));
    this.#file = join(folder, "tensorboard", name);
    await appendFile(this.#file, versionRecord(seconds));
    return name;
  }

  async log({ round, scalars, time }: MirroredRow): Promise<void> {
    await appendFile(this.#file, scalarsRecord(round, time / 1000, scalars));
  }

  async end(): Promise<void> {}
}
