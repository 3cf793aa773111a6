import { open, rename } from "node:fs/promises";
import { ElenchusError } from "../../base/index.js";
import { tableFormat } from "../../data/index.js";

/** What is known of a file's content. */
export interface FileKind {
  /** Name or path it had where it came from. */
  readonly name?: string | undefined;
  /** As its server or `data:` URL says. */
  readonly mediaType?: string | undefined;
  /** What the user says. */
  readonly format?: string | undefined;
  /** Whether it must stay where it is: then it is read as its name ends. */
  readonly keep?: boolean;
}

/**
 * Gives a fetched file an ending that says what it holds: what the user says, else the end of its name, else its media
 * type, else its first bytes.
 * @returns its new path
 * @throws INPUT_UNREADABLE for a file that is no table
 */
export async function typedFile(path: string, kind: FileKind): Promise<string> {
  if (kind.keep) {
    if (tableFormat(path) !== undefined && (kind.format ?? tableFormat(path)) === tableFormat(path))
      return path;
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${path} does not end as ${kind.format === undefined ? "a table" : `.${kind.format}`}. Expected .csv, .tsv, .jsonl, .json, .parquet or .xlsx; rename the file.`,
    );
  }
  const end = await ending(path, kind);
  const typed = `${path}.${end}`;
  await rename(path, typed);
  return typed;
}

async function ending(path: string, { name, mediaType = "", format }: FileKind): Promise<string> {
  const bytes = await firstBytes(path);
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b ? ".gz" : "";
  if (format !== undefined) return format + packed;
  const named = name === undefined ? undefined : tableFormat(name);
  if (named !== undefined) return named + packed;
  const type = mediaType.split(";")[0]!.trim().toLowerCase();
  const typed = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (typed !== undefined) return typed + packed;
  return sniffed(bytes, type) + packed;
}

const TYPES: Readonly<Record<string, string>> = {
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/json": "json",
  "text/json": "json",
  "application/jsonl": "jsonl",
  "application/json-lines": "jsonl",
  "application/x-ndjson": "jsonl",
  "application/x-jsonlines": "jsonl",
  "application/vnd.apache.parquet": "parquet",
  "application/x-parquet": "parquet",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
};

/** By what files of these kinds begin with. A page that a server shows in place of a file is no table. */
function sniffed(bytes: Buffer, type: string): string {
  const start = bytes.toString("latin1");
  if (start.startsWith("PAR1")) return "parquet";
  if (start.startsWith("PK\u0003\u0004")) return "xlsx";
  const text = start.replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
  if (/^[[{]/.test(text)) return "json";
  if (type !== "text/html" && !text.startsWith("<") && !bytes.includes(0)) return "csv";
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `What was given is no table${type === "" ? "" : ` but ${type}`}. Expected CSV, TSV, JSON lines, a JSON array, parquet or an Excel workbook; where it is one, say so with format.`,
  );
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(512);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
