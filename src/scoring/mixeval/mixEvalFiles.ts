import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ElenchusError, messageOf, namesIn } from "../../base/index.js";
import { readTable } from "../../data/index.js";
import { type MixEvalResponse, type MixEvalRow, mixEvalRowSchema } from "./mixEvalRow.js";

/** A row of a file, and where it stands there. */
interface FileRow {
  readonly id: string;
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
 * nothing else get their question from `questions` by id.
 * @param paths files, or folders of a model, whose files of answers are all read
 * @throws INPUT_UNREADABLE, DATA_INVALID naming file, row and key
 */
export async function readResponses(
  paths: readonly string[],
  questions: readonly QuestionFile[] = [],
): Promise<ResponseFile[]> {
  const files: string[] = [];
  for (const path of paths) {
    files.push(
      ...(await filesOf(path, isResponseFile, "*_close_freeform*.jsonl and *_close_multichoice*.jsonl")),
    );
  }
  return await Promise.all(
    files.map(async (file) => {
      const seen = new Set<string>();
      const answers = (await fileRows(file)).map(({ id, row, place }) => {
        requireNew(seen, id, place);
        seen.add(id);
        const question = questionOf(row, { id, file, place, questions });
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
    throw new ElenchusError("INPUT_UNREADABLE", `${path} cannot be read: ${messageOf(error)}.`);
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
  const published = file.endsWith(".json") ? await objectById(file) : undefined;
  if (published !== undefined) return published;
  return (await readTable(file)).map(({ row, place }, index) => ({ id: idOf(row, index), row, place }));
}

/** The rows of a published file: one object, its keys the ids. */
async function objectById(file: string): Promise<FileRow[] | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ElenchusError("INPUT_UNREADABLE", `${file} cannot be read: ${messageOf(error)}.`);
  });
  if (!text.trimStart().startsWith("{")) return undefined;
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Object.entries(whole as Record<string, Readonly<Record<string, unknown>>>).map(([id, row]) => ({
    id,
    row,
    place: `${file}, row ${id}`,
  }));
}

function idOf(row: Readonly<Record<string, unknown>>, index: number): string {
  return typeof row.id === "string" || typeof row.id === "number" ? String(row.id) : String(index);
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
  readonly file: string;
  readonly place: string;
  readonly questions: readonly QuestionFile[];
}

/** The question in the row itself, else the one of that id among the questions given. */
function questionOf(row: Readonly<Record<string, unknown>>, sought: Sought): MixEvalRow {
  if (row.prompt !== undefined && row.target !== undefined) return parsedRow(row, sought.place);
  const { id, file, place, questions } = sought;
  const kind = kindOf(row, file);
  const holders = questions.filter(({ rows }) => {
    const question = rows.get(id);
    return (
      question !== undefined &&
      (kind === undefined || (question.problem_type === "free-form") === (kind === "free-form"))
    );
  });
  if (holders.length === 1) return holders[0]!.rows.get(id)!;
  throw new ElenchusError(
    "DATA_INVALID",
    holders.length === 0
      ? `${place} has no question (prompt, target, benchmark_name), and none of id ${id} is known. Give the release's folder or file with --data.`
      : `${place} has no question, and ${holders.map((holder) => holder.file).join(" and ")} each have one of id ${id}. Give the file that was answered with --data.`,
  );
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
