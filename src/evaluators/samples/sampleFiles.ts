import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ElenchusError, fileNamePart, type Logger, makeFolder, messageOf } from "../../base/index.js";
import { firstSample } from "./firstSample.js";
import { type LoggedSample, sampleLine } from "./loggedSample.js";
import type { SampleLog } from "./sampleLog.js";
import { TaskFile } from "./taskFile.js";

/** Bytes of one file; samples behind them are counted and left out. */
const LARGEST_FILE = 64 * 1024 * 1024;
/** Each has a file open. */
const MOST_TASKS = 500;

/** Whose samples they are, and where they go. */
export interface SampleFilesOptions {
  /** `<run_id>/samples`; made with the first sample. */
  readonly folder: string;
  readonly round: number;
  /** `name` of the evaluator's table. */
  readonly evaluator: string;
  readonly logger: Logger;
  /** Default 64 MiB. */
  readonly largestFile?: number;
}

/**
 * The samples of one evaluator in one round, as `<round>-<name>-<task>.jsonl`. They are written where they are made,
 * under temporary names, and take their places with `keep`, so that files never speak of an evaluation that failed.
 * A disk that does not take them is a warning: what was measured stands.
 */
export class SampleFiles implements SampleLog {
  readonly #options: SampleFilesOptions;
  readonly #files = new Map<string, TaskFile>();
  #last: Promise<void> = Promise.resolve();
  #open = true;

  constructor(options: SampleFilesOptions) {
    this.#options = options;
  }

  async add(task: string, sample: LoggedSample): Promise<void> {
    const line = Buffer.from(sampleLine(this.#options.evaluator, task, sample));
    await this.#inOrder(async () => {
      // An evaluator that ran out of time may go on: what it says then counts no more.
      if (this.#open) await (await this.#fileOf(task)).write(line);
    });
  }

  /** Gives all files their names; those of an earlier attempt are replaced. */
  keep(): Promise<void> {
    return this.#inOrder(async () => {
      this.#open = false;
      for (const [task, file] of this.#files) {
        const path = await this.#placeOf(task);
        const left = await file.finish(path);
        if (left === 0) continue;
        this.#options.logger.warn(
          `${path} holds as many samples as fit into ${file.limit} bytes; ${left} more are left out. A limit in the evaluator's table logs fewer.`,
        );
      }
    });
  }

  /** Removes what was written. */
  discard(): Promise<void> {
    return this.#inOrder(async () => {
      this.#open = false;
      for (const file of this.#files.values()) await file.discard();
    });
  }

  async #fileOf(task: string): Promise<TaskFile> {
    const known = this.#files.get(task);
    if (known !== undefined) return known;
    if (this.#files.size === MOST_TASKS) {
      throw new ElenchusError(
        "RESULT_INVALID",
        `The evaluator "${this.#options.evaluator}" logs samples of more than ${MOST_TASKS} tasks. Expected the name of the task, not of the sample.`,
      );
    }
    const { folder, largestFile = LARGEST_FILE } = this.#options;
    await makeFolder(folder);
    const file = await TaskFile.create(join(folder, temporaryName(this.#stem(task))), largestFile);
    this.#files.set(task, file);
    return file;
  }

  #stem(task: string): string {
    return `${this.#options.round}-${fileNamePart(this.#options.evaluator)}-${fileNamePart(task)}`;
  }

  /** The first name that is free, or has the samples of this very task: two tasks may come to one name. */
  async #placeOf(task: string): Promise<string> {
    const { folder, evaluator } = this.#options;
    for (let number = 1; ; number++) {
      const path = join(folder, `${this.#stem(task)}${number === 1 ? "" : `_${number}`}.jsonl`);
      const found = await firstSample(path);
      if (found === null || (found.evaluator === evaluator && found.task === task)) return path;
    }
  }

  /** One after the other. A disk that fails ends the log and nothing else. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      try {
        await work();
      } catch (error) {
        if (error instanceof ElenchusError) throw error;
        const { evaluator, folder, logger } = this.#options;
        if (this.#open) {
          logger.warn(
            `The samples of the evaluator "${evaluator}" cannot be written to ${folder}: ${messageOf(error)}. It goes on without them.`,
          );
        }
        this.#open = false;
        for (const file of this.#files.values()) await file.discard();
        this.#files.clear();
      }
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

/** As `removeLeftovers` knows them, should the process be killed. */
function temporaryName(stem: string): string {
  return `.${stem}.jsonl.${randomBytes(6).toString("hex")}.tmp`;
}
