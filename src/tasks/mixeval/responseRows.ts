import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ElenchusError, makeFolder, writeAtomic } from "../../base/index.js";
import {
  type LoggedRow,
  placeFolder,
  type ReleaseSplit,
  RowLog,
  responseFileName,
  statusFileName,
} from "../../scoring/index.js";
import { type GenerationArgs, readStatus, requireSameArgs, writeStatus } from "./generationStatus.js";

/** Which file of answers. */
export interface ResponseRowsRequest {
  readonly root: string;
  readonly model: string;
  readonly version: string | null;
  readonly split: ReleaseSplit;
  /** What decides the answers, beside the questions. */
  readonly args: GenerationArgs;
  /** What is sent for each question, in the order of the questions. */
  readonly prompts: readonly string[];
}

/**
 * A file of answers as MixEval lays it out, made row by row: each is appended as it comes, so that a process may be
 * killed at any point and another goes on; once all are there the file is put in the order of the questions.
 */
export class ResponseRows {
  readonly #statusPath: string;
  /** What is sent, by id, in the order of the questions. */
  readonly #prompts: ReadonlyMap<string, string>;
  readonly #answers = new Map<string, string>();
  #calls: number;

  private constructor(
    private readonly request: ResponseRowsRequest,
    private readonly log: RowLog,
    private readonly args: GenerationArgs,
    { statusPath, calls }: { statusPath: string; calls: number },
  ) {
    this.#statusPath = statusPath;
    this.#calls = calls;
    const { split, prompts } = request;
    this.#prompts = new Map([...split.rows.keys()].map((id, place) => [id, prompts[place]!]));
    for (const { id, response } of log.rows) {
      // Settings are the same, or it would have been refused: so is what was sent.
      if (this.#prompts.has(String(id)) && typeof response === "string") {
        this.#answers.set(String(id), response);
      }
    }
  }

  /** @throws RESUME_REFUSED for a file that was made otherwise; RECORD_CORRUPT, DATA_INVALID, PATH_UNWRITABLE */
  static async open(request: ResponseRowsRequest): Promise<ResponseRows> {
    const { root, model, version, split } = request;
    const { benchmark, kind } = split;
    const place = { model, benchmark, version };
    const path = join(root, placeFolder(place), responseFileName(place, kind));
    const statusPath = join(dirname(path), statusFileName(benchmark, kind));
    const args = { ...request.args, benchmark, version, questions: digestOf(split) };
    const before = await readStatus(statusPath);
    if (before !== undefined) requireSameArgs(statusPath, before.args, args);
    else if (await exists(path)) throw foreign(path);
    else {
      await makeFolder(dirname(path));
      const status = { status: "in progress", rows: split.rows.size, answered: 0, calls: 0 } as const;
      await writeStatus(statusPath, { args, status });
    }
    const log = await RowLog.open(path);
    return new ResponseRows(request, log, args, { statusPath, calls: before?.status.calls ?? 0 });
  }

  get path(): string {
    return this.log.path;
  }

  /** What is sent for questions that have no answer yet, by id. */
  get open(): ReadonlyMap<string, string> {
    return new Map([...this.#prompts].filter(([id]) => !this.#answers.has(id)));
  }

  /** Answers by what was sent: a prompt that repeats is answered once. */
  get known(): ReadonlyMap<string, string> {
    return new Map([...this.#answers].map(([id, answer]) => [this.#prompts.get(id)!, answer]));
  }

  async add(id: string, answer: string): Promise<void> {
    this.#answers.set(id, answer);
    await this.log.append(this.#row(id, answer));
  }

  /** Counts questions that the model was asked for this file. */
  asked(): void {
    this.#calls++;
  }

  /** Puts the rows in order where all are there, and says how far the file is. */
  async close(): Promise<void> {
    await this.log.close();
    const { size: rows } = this.request.split.rows;
    const complete = this.#answers.size === rows;
    if (complete) {
      const lines = [...this.#prompts.keys()].map(
        (id) => `${JSON.stringify(this.#row(id, this.#answers.get(id)!))}\n`,
      );
      await writeAtomic(this.path, lines.join(""));
    }
    await writeStatus(this.#statusPath, {
      args: this.args,
      status: {
        status: complete ? "complete" : "in progress",
        rows,
        answered: this.#answers.size,
        calls: this.#calls,
      },
    });
  }

  #row(id: string, response: string): LoggedRow {
    return { ...this.request.split.rows.get(id)!, formated_input: this.#prompts.get(id)!, id, response };
  }
}

function digestOf({ rows }: ReleaseSplit): string {
  return createHash("sha256")
    .update(JSON.stringify([...rows]))
    .digest("hex");
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}

function foreign(path: string): ElenchusError {
  return new ElenchusError(
    "RESUME_REFUSED",
    `${path} has answers, and no file beside it says how they were made. Move it away, or write to another folder.`,
  );
}
