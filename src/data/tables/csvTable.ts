import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { createGunzip } from "node:zlib";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { CsvOptions } from "./tableOptions.js";

/** A table as it stands in its file. */
export interface CsvTable {
  readonly file: string;
  /** Names of the columns; their places where the file has no header. */
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** Values of a row, one for each column, and the line on which it ends. */
export interface CsvRow {
  readonly values: readonly string[];
  readonly line: number;
}

/**
 * Reads a table (RFC 4180), gzipped where its name says so.
 * @throws DATA_INVALID naming file and line of a row with another number of values, of text that is no UTF-8, and of a
 *   header that names a column twice
 */
export async function readCsv(
  file: string,
  { header, delimiter }: Pick<CsvOptions, "header" | "delimiter">,
): Promise<CsvTable> {
  const { parse } = await import("csv-parse");
  const source = Readable.from(textOf(file));
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    delimiter: delimiter ?? (/\.tsv(\.gz)?$/i.test(file) ? "\t" : ","),
  });
  source.on("error", (error) => parser.destroy(error));
  let columns: readonly string[] | undefined;
  const rows: CsvRow[] = [];
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<ParsedRow>) {
      if (columns === undefined) {
        columns = header ? record.map((name) => name.trim()) : record.map((_, place) => String(place));
        checkNames(file, columns, info.lines);
        if (header) continue;
      }
      if (record.length !== columns.length) {
        throw invalidTable(
          `${file}:${info.lines}`,
          `${record.length} values`,
          `${columns.length}, one for each of the columns ${columns.slice(0, 6).join(", ")}${columns.length > 6 ? ", ..." : ""}`,
        );
      }
      rows.push({ values: record, line: info.lines });
    }
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    throw invalidTable(
      file,
      messageOf(error).replace(/\.$/, ""),
      "values with commas between them (RFC 4180)",
    );
  } finally {
    source.destroy();
  }
  if (columns === undefined || rows.length === 0) throw invalidTable(file, "it has no rows", "at least two");
  return { file, columns, rows };
}

interface ParsedRow {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** @param place file, or file and line */
export function invalidTable(
  place: string,
  found: string,
  expected: string,
  key: string = "train_path",
): ElenchusError {
  return new ElenchusError("DATA_INVALID", `${place}: ${found}. Expected ${expected}.`, {
    details: { path: ["data", key] },
  });
}

function checkNames(file: string, columns: readonly string[], line: number): void {
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  if (twice === undefined) return;
  throw invalidTable(
    `${file}:${line}`,
    `the header names ${JSON.stringify(twice)} twice`,
    "each column once, or data.header = false for a table without a header",
  );
}

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const bytes = createReadStream(file);
  let stream: Readable = bytes;
  if (file.toLowerCase().endsWith(".gz")) {
    const content = createGunzip();
    bytes.on("error", (error) => content.destroy(error));
    content.on("close", () => bytes.destroy());
    stream = bytes.pipe(content);
  }
  let offset = 0;
  const decoded = (chunk?: Buffer) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw invalidTable(file, `its bytes from ${offset} on are no UTF-8 text`, "UTF-8: convert the file");
    }
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield decoded(chunk);
    offset += chunk.length;
  }
  yield decoded();
}
