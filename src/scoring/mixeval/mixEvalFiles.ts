import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ElenchusError, messageOf, namesIn } from "../../base/index.js";
import { readTable } from "../../data/index.js";
import { type MixEvalResponse, type MixEvalRow, mixEvalRowSchema } from "./mixEvalRow.js";
import { benchmarkNamed, responsePlace, VERSION } from "./publishedNames.js";

/** A row of a file, and where it stands there. */
interface FileRow {
  /** Of a row without one its place, from 0. */
  readonly id: string;
  /** Whether the row itself says so. */
  readonly named: boolean;
  readonly row: Readonly<Record<string, unknown>>;
  readonly place: string;
}

/** A file of questions. */
export interface QuestionFile {
  readonly file: string;
  readonly rows: ReadonlyMap<string, MixEvalRow>;
}

/**
 * The questions of a release: of a folder with `free-form.json` and `multiple-choice.json`, or of one such file. A
 * file is an object by id, as published, or an array or lines of rows with an `id`.
 * @throws INPUT_UNREADABLE, DATA_INVALID naming file, row and key
 */
export async function readQuestions(path: string): Promise<QuestionFile[]> {
  const files = await filesOf(
    path,
    (name) => QUESTION_FILE.test(name),
    "free-form.json and multiple-choice.json",
  );
  return await Promise.all(
    files.map(async (file) => {
      const rows = new Map<string, MixEvalRow>();
      for (const { id, row, place } of await fileRows(file)) {
        requireNew(rows, id, place);
        rows.set(id, parsedRow(row, place));
      }
      return { file, rows };
    }),
  );
}

/** The answers of a file, in its order. */
export interface ResponseFile {
  readonly file: string;
  readonly answers: readonly MixEvalResponse[];
}

/**
 * Answers as MixEval writes them: JSON lines (or an array) of question rows with `id` and `response`. Rows that hold
 * nothing else get their question from `questions` by id. A file is read once, however often it is named.
 * @param paths files, or folders of a model, whose files of answers are all read
 * @throws INPUT_UNREADABLE, DATA_INVALID naming file, row and key
 */
export async function readResponses(
  paths: readonly string[],
  questions: readonly QuestionFile[] = [],
): Promise<ResponseFile[]> {
  const files = new Map<string, string>();
  for (const path of paths) {
    const expected = "*_close_freeform*.jsonl and *_close_multichoice*.jsonl";
    for (const file of await filesOf(path, isResponseFile, expected)) files.set(resolve(file), file);
  }
  return await Promise.all(
    [...files.values()].map(async (file) => {
      const seen = new Set<string>();
      const answers = (await fileRows(file)).map(({ id, named, row, place }) => {
        requireNew(seen, id, place);
        seen.add(id);
        const question = questionOf(row, { id, named, file, place, questions });
        return { id, row: question, response: responseOf(row, place), fields: row };
      });
      return { file, answers };
    }),
  );
}

const QUESTION_FILE = /^(?:free-form|multiple-choice)\.json$/;

function isResponseFile(name: string): boolean {
  return /\.jsonl?$/.test(name) && !/^(?:judge_results|status|score)/.test(name) && !QUESTION_FILE.test(name);
}

/** A file itself, or the fitting ones of a folder and its folders, by name. */
async function filesOf(path: string, fits: (name: string) => boolean, expected: string): Promise<string[]> {
  const found = await stat(path).catch((error: unknown) => {
    const why =
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? "is neither a file nor a folder"
        : `cannot be read: ${messageOf(error)}`;
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${path} ${why}. Expected a file, or a folder with ${expected}.`,
    );
  });
  if (!found.isDirectory()) return [path];
  const files = await within(path, fits);
  if (files.length > 0) return files;
  throw new ElenchusError("INPUT_UNREADABLE", `${path} has none of the files expected there: ${expected}.`);
}

async function within(folder: string, fits: (name: string) => boolean): Promise<string[]> {
  const files: string[] = [];
  for (const name of (await namesIn(folder)).sort()) {
    const path = join(folder, name);
    if ((await stat(path)).isDirectory()) files.push(...(await within(path, fits)));
    else if (fits(name)) files.push(path);
  }
  return files;
}

async function fileRows(file: string): Promise<FileRow[]> {
  const published = /\.jsonl?$/.test(file) ? await wholeDocument(file) : undefined;
  if (published !== undefined) return published;
  return (await readTable(file)).map(({ row, place }, index) => fileRow(row, place, index));
}

/** The rows of one document: an object whose keys are the ids, as published, or an array, whatever the name's end. */
async function wholeDocument(file: string): Promise<FileRow[] | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ElenchusError("INPUT_UNREADABLE", `${file} cannot be read: ${messageOf(error)}.`);
  });
  const array = /^\uFEFF?\s*\[/.test(text);
  if (!array && (file.endsWith(".jsonl") || !/^\uFEFF?\s*\{/.test(text))) return undefined;
  let whole: object;
  try {
    whole = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  return Object.entries(whole).map(([key, row], index) => {
    const place = array ? `${file}, row ${index + 1}` : `${file}, row ${key}`;
    if (typeof row === "object" && row !== null && !Array.isArray(row)) {
      return array ? fileRow(row, place, index) : { id: key, named: true, row, place };
    }
    throw new ElenchusError(
      "DATA_INVALID",
      `${place} is ${JSON.stringify(row).slice(0, 60)}. Expected a JSON object with the row's columns.`,
    );
  });
}

function fileRow(row: Readonly<Record<string, unknown>>, place: string, index: number): FileRow {
  const named = (typeof row.id === "string" && row.id !== "") || typeof row.id === "number";
  return { id: named ? String(row.id) : String(index), named, row, place };
}

function requireNew(known: { has(id: string): boolean }, id: string, place: string): void {
  if (!known.has(id)) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `${place} has the id ${id}, as an earlier row of the file. Expected each id once: repeated questions have ids of their own.`,
  );
}

function parsedRow(row: unknown, place: string): MixEvalRow {
  const parsed = mixEvalRowSchema.safeParse(row);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new ElenchusError(
    "DATA_INVALID",
    `${place} is no question of MixEval: ${issue.path.join(".") || "the row"}: ${issue.message}. ` +
      "Expected problem_type, prompt, target, benchmark_name, and options where there is a choice.",
  );
}

interface Sought {
  readonly id: string;
  readonly named: boolean;
  readonly file: string;
  readonly place: string;
  readonly questions: readonly QuestionFile[];
}

/** The question in the row itself, else the one of that id among the questions given. */
function questionOf(row: Readonly<Record<string, unknown>>, sought: Sought): MixEvalRow {
  if (row.prompt !== undefined && row.target !== undefined) return parsedRow(row, sought.place);
  const { id, named, file, place, questions } = sought;
  if (!named) {
    throw new ElenchusError(
      "DATA_INVALID",
      `${place} has neither a question (prompt, target, benchmark_name) nor an id: found id ${JSON.stringify(row.id) ?? "missing"}. Expected the id that its question has in the release.`,
    );
  }
  const kind = kindOf(row, file);
  const fitting = questions.filter(({ rows }) => {
    const question = rows.get(id);
    return (
      question !== undefined &&
      (kind === undefined || (question.problem_type === "free-form") === (kind === "free-form"))
    );
  });
  const holders =
    fitting.length > 1 && namesBenchmark(file)
      ? fitting.filter((holder) => isOfPlace(holder.file, file))
      : fitting;
  if (holders.length === 1) return holders[0]!.rows.get(id)!;
  throw new ElenchusError(
    "DATA_INVALID",
    fitting.length === 0
      ? `${place} has no question (prompt, target, benchmark_name), and none of id ${id} is known. Give the release's folder or file with --data.`
      : `${place} has no question, and ${fitting.map((holder) => holder.file).join(" and ")} each have one of id ${id}. Give the file that was answered with --data.`,
  );
}

/** Whether a file of answers says by its name or folders which benchmark it is of. */
function namesBenchmark(answers: string): boolean {
  if (/_close_(?:freeform|multichoice)(?:_hard)?\.jsonl?$/.test(answers)) return true;
  return benchmarkNamed(basename(dirname(dirname(answers)))) !== undefined;
}

/** Whether questions are of the benchmark, and of the release if it names one, that a file of answers is of. */
function isOfPlace(questions: string, answers: string): boolean {
  const folders = dirname(resolve(questions)).split(/[/\\]/).reverse();
  const benchmark = folders.map(benchmarkNamed).find((one) => one !== undefined) ?? "mixeval";
  const place = responsePlace(answers);
  if (benchmark !== place.benchmark) return false;
  // A release whose folders name no day may be of any.
  const dated = place.version !== null && folders.some((folder) => VERSION.test(folder));
  return !dated || folders.some((folder) => folder.endsWith(place.version!));
}

function kindOf(row: Readonly<Record<string, unknown>>, file: string): "free-form" | "choice" | undefined {
  if (typeof row.problem_type === "string") return row.problem_type === "free-form" ? "free-form" : "choice";
  const name = basename(file);
  if (/free-?form/i.test(name)) return "free-form";
  return /multi(?:ple-?)?choice/i.test(name) ? "choice" : undefined;
}

/** An answer that never came is an empty one. */
function responseOf(row: Readonly<Record<string, unknown>>, place: string): string {
  if (typeof row.response === "string") return row.response;
  if (row.response === null) return "";
  throw new ElenchusError(
    "DATA_INVALID",
    `${place} has no response: found ${JSON.stringify(row.response) ?? "nothing"}. Expected the model's answer as a text.`,
  );
}
