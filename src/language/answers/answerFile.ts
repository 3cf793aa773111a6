import { createHash } from "node:crypto";
import { appendFile, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Logger, makeFolder, messageOf, namesIn } from "../../base/index.js";

/** Bytes of one file; what comes behind them is computed anew each time. */
const LARGEST_FILE = 128 * 1024 * 1024;
/** Bytes of a folder; the files that were used longest ago make room. */
const LARGEST_FOLDER = 512 * 1024 * 1024;

/** Where answers are kept. */
export interface AnswerFileOptions {
  /** Made if need be; holds nothing but such files. */
  readonly folder: string;
  /** Everything that decides answers beside the request: weights, tokenizer, engine. */
  readonly scope: unknown;
  readonly logger: Logger;
  readonly largestFile?: number;
  readonly largestFolder?: number;
}

/**
 * Answers of one model, kept in `<digest of the scope>.jsonl`, a line for each: they are there again after an evaluation
 * that was interrupted. Lines are only appended. One that cannot be read is passed over with a warning, and a disk
 * that fails ends the keeping and nothing else.
 */
export class AnswerFile {
  readonly #path: string;
  readonly #options: AnswerFileOptions;
  readonly #answers = new Map<string, unknown>();
  #bytes = 0;
  /** What a line begins with: a writer that was killed may have left one without its end. */
  #before = "";
  #usable = true;

  private constructor(path: string, options: AnswerFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Null, after a warning, where the folder cannot be used. */
  static async open(options: AnswerFileOptions): Promise<AnswerFile | null> {
    const { folder, scope, logger, largestFolder = LARGEST_FOLDER } = options;
    const name = `${digestOf(scope)}.jsonl`;
    try {
      await makeFolder(folder);
      await makeRoom(folder, name, largestFolder);
      const kept = new AnswerFile(join(folder, name), options);
      await kept.#read();
      return kept;
    } catch (error) {
      logger.warn(
        `Answers cannot be kept in ${folder}: ${messageOf(error)}. They are computed anew each time.`,
      );
      return null;
    }
  }

  /** The answer to a request; undefined where there is none. */
  get(request: unknown): unknown {
    return this.#answers.get(digestOf(request));
  }

  /** Keeps answers, all in one write. One with a number that JSON does not have is not kept. */
  async add(pairs: readonly (readonly [request: unknown, answer: unknown])[]): Promise<void> {
    const { largestFile = LARGEST_FILE, logger } = this.#options;
    const lines = pairs
      .filter(([, answer]) => isPlain(answer))
      .map(([request, answer]) => `${JSON.stringify({ request: digestOf(request), answer })}\n`);
    const piece = Buffer.from(this.#before + lines.join(""));
    if (!this.#usable || lines.length === 0 || this.#bytes + piece.length > largestFile) return;
    try {
      await appendFile(this.#path, piece);
      this.#before = "";
      this.#bytes += piece.length;
    } catch (error) {
      this.#usable = false;
      logger.warn(`Answers are kept no longer: ${messageOf(error)}.`);
    }
  }

  async #read(): Promise<void> {
    const bytes = await readFile(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return Buffer.alloc(0);
      throw error;
    });
    if (bytes.length === 0) return;
    this.#bytes = bytes.length;
    this.#before = bytes.at(-1) === LINE_FEED ? "" : "\n";
    let bad = 0;
    for (const line of bytes.toString("utf8").split("\n")) {
      if (line === "") continue;
      const parsed = lineSchema.safeParse(jsonOf(line));
      if (parsed.success) this.#answers.set(parsed.data.request, parsed.data.answer);
      else bad += 1;
    }
    await utimes(this.#path, new Date(), new Date()).catch(() => {});
    if (bad === 0) return;
    this.#options.logger.warn(`${this.#path} has ${bad} lines that are no answers; they are computed anew.`);
  }
}

const LINE_FEED = 0x0a;

const lineSchema = z.object({
  request: z.string(),
  answer: z.unknown().refine((answer) => answer !== undefined),
});

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 40);
}

/** JSON would make null of an infinite number. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isPlain);
}

async function makeRoom(folder: string, own: string, limit: number): Promise<void> {
  const files = await Promise.all(
    (await namesIn(folder))
      .filter((name) => /^[0-9a-f]{40}\.jsonl$/.test(name))
      .map(async (name) => {
        // Another process may have taken it away.
        const found = await stat(join(folder, name)).catch(() => undefined);
        return { name, size: found?.size ?? 0, used: found?.mtimeMs ?? 0 };
      }),
  );
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of files.sort((a, b) => a.used - b.used)) {
    if (bytes <= limit) return;
    if (name === own) continue;
    await rm(join(folder, name), { force: true });
    bytes -= size;
  }
}
