import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { createGunzip, gunzipSync } from "node:zlib";
import { ElenchusError, messageOf, ownValue } from "../../base/index.js";
import { xlsxRows } from "./xlsxRows.js";

/** A row of a table by column. */
export type TableRow = Readonly<Record<string, unknown>>;

/** A row, and where it stands: `file:line`, or `file, row n` where there are no lines. */
export interface PlacedRow {
  readonly row: TableRow;
  readonly place: string;
}

/** What of a file is read. */
export interface ReadRange {
  /** The first rows; no more of the file is read than they need. All when absent. */
  readonly rows?: number | undefined;
  /** Parquet only: columns to read; others are not even decoded. All when absent. */
  readonly columns?: readonly string[] | undefined;
}

/** Formats by the end of a name; each but parquet and workbooks may be gzipped (`.gz`). */
const READERS: Readonly<Record<string, (file: string, range: ReadRange) => AsyncGenerator<PlacedRow>>> = {
  parquet: parquetRows,
  jsonl: jsonlRows,
  ndjson: jsonlRows,
  json: jsonRows,
  csv: csvRows,
  tsv: csvRows,
  xlsx: (file, { rows }) => xlsxRows(file, rows),
};

/** Formats that are packed already, or read from their end. */
const NEVER_GZIPPED = ["parquet", "xlsx"];

/** The format that a name ends in; undefined where it is no table's. */
export function tableFormat(name: string): string | undefined {
  const end = /\.([a-z]+)(\.gz)?$/i.exec(name);
  const format = end?.[1]?.toLowerCase();
  if (format === undefined || !Object.hasOwn(READERS, format)) return undefined;
  return NEVER_GZIPPED.includes(format) && end?.[2] !== undefined ? undefined : format;
}

/** All rows of a table at once; see `tableRows`. */
export async function readTable(file: string, range: ReadRange = {}): Promise<PlacedRow[]> {
  const found: PlacedRow[] = [];
  for await (const row of tableRows(file, range)) found.push(row);
  return found;
}

/**
 * The rows of a table, one after the other: parquet, JSON lines, a JSON array, CSV or TSV with a header, the
 * first sheet of an Excel workbook. Of lines and of CSV no more is held than is being read, of parquet one row group.
 * @throws DATA_INVALID naming file and place of what is damaged; INPUT_UNREADABLE for another kind of file
 */
export function tableRows(file: string, range: ReadRange = {}): AsyncGenerator<PlacedRow> {
  const format = tableFormat(file);
  const reader = format === undefined ? undefined : ownValue(READERS, format);
  if (reader !== undefined) return reader(file, range);
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${file} is no table. Expected a name that ends in ${Object.keys(READERS)
      .map((end) => `.${end}`)
      .join(", ")}, perhaps with .gz behind it.`,
  );
}

/** Objects, one per line; blank lines count, but are no rows. */
async function* jsonlRows(
  file: string,
  { rows = Number.POSITIVE_INFINITY }: ReadRange,
): AsyncGenerator<PlacedRow> {
  let line = 0;
  let found = 0;
  if (rows < 1) return;
  const decoder = strictDecoder();
  try {
    for await (const bytes of linesOf(file)) {
      line += 1;
      const place = `${file}:${line}`;
      const text = decoded(bytes, place, decoder);
      if (text.trim() === "") continue;
      yield { row: rowOf(parseJson(text, place), place), place };
      if (++found >= rows) break;
    }
  } catch (error) {
    throw error instanceof ElenchusError ? error : invalid(file, messageOf(error), "a whole file");
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(place, messageOf(error), "JSON");
  }
}

/** Without the byte order mark that some editors write first. Bytes of another encoding would become other characters. */
function decoded(bytes: Uint8Array, place: string, decoder = strictDecoder(), more = false): string {
  try {
    return decoder.decode(bytes, { stream: more });
  } catch {
    throw invalid(place, "its bytes are no UTF-8 text", "UTF-8: convert the file");
  }
}

function strictDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true });
}

/** The lines of a file, no more of it read than is asked for. */
async function* linesOf(file: string): AsyncGenerator<Uint8Array> {
  let begun: Buffer[] = [];
  for await (const chunk of unpacked(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
  }
  const last = Buffer.concat(begun);
  if (last.length > 0) yield last;
}

/** The text of a file, piece by piece. */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = strictDecoder();
  for await (const chunk of unpacked(file) as AsyncIterable<Buffer>)
    yield decoded(chunk, file, decoder, true);
  yield decoded(new Uint8Array(), file, decoder);
}

/** The bytes of a file. */
function unpacked(file: string): Readable {
  const source = createReadStream(file);
  if (!file.toLowerCase().endsWith(".gz")) return source;
  const text = createGunzip();
  source.on("error", (error) => text.destroy(error));
  text.on("close", () => source.destroy());
  return source.pipe(text);
}

/** An array of objects; a file of that name may also hold lines. */
async function* jsonRows(file: string, range: ReadRange): AsyncGenerator<PlacedRow> {
  let text: string;
  try {
    const bytes = await readFile(file);
    text = decoded(file.toLowerCase().endsWith(".gz") ? gunzipSync(bytes) : bytes, file);
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    throw invalid(file, messageOf(error), "a whole file");
  }
  if (!text.trimStart().startsWith("[")) {
    yield* jsonlRows(file, range);
    return;
  }
  for (const [index, entry] of (parseJson(text, file) as unknown[]).slice(0, range.rows).entries()) {
    const place = `${file}, row ${index}`;
    yield { row: rowOf(entry, place), place };
  }
}

/** RFC 4180 with a header. Every value is a text; `.tsv` has tabs between them. */
async function* csvRows(file: string, { rows }: ReadRange): AsyncGenerator<PlacedRow> {
  if (rows !== undefined && rows < 1) return;
  const { parse } = await import("csv-parse");
  const source = Readable.from(textOf(file));
  const parser = parse({
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    delimiter: tableFormat(file) === "tsv" ? "\t" : ",",
    ...(rows !== undefined && { to: rows }),
  });
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRecord>) {
      yield { row: record, place: `${file}:${info.lines}` };
    }
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    throw invalid(file, messageOf(error), "a header and as many values in every row");
  } finally {
    source.destroy();
  }
}

interface CsvRecord {
  readonly record: TableRow;
  readonly info: { readonly lines: number };
}

/** Row groups behind the first rows, and columns that nobody wants, are not read from the disk. */
async function* parquetRows(file: string, { rows, columns }: ReadRange): AsyncGenerator<PlacedRow> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const handle = await open(file).catch((error: unknown) => {
    throw invalid(file, messageOf(error), "a file that can be read");
  });
  try {
    const { size } = await handle.stat();
    const source = {
      byteLength: size,
      async slice(start: number, end = size): Promise<ArrayBuffer> {
        const bytes = new ArrayBuffer(Math.max(0, end - start));
        const { bytesRead } = await handle.read(new Uint8Array(bytes), 0, bytes.byteLength, start);
        if (bytesRead < bytes.byteLength) throw new Error(`the file ends before byte ${end}`);
        return bytes;
      },
    };
    const metadata = await parquetMetadataAsync(source);
    const present = parquetSchema(metadata).children.map(({ element }) => element.name);
    // Where one is missing all are read: whoever misses it can then say what there is.
    const chosen = columns?.every((column) => present.includes(column)) ? columns : undefined;
    const wanted = Math.min(rows ?? Number.POSITIVE_INFINITY, Number(metadata.num_rows));
    let start = 0;
    // One row group after the other, so that a damaged one can be named.
    for (const [group, { num_rows }] of metadata.row_groups.entries()) {
      const end = Math.min(start + Number(num_rows), wanted);
      if (start >= end) break;
      const part = await parquetReadObjects({
        file: source,
        metadata,
        compressors,
        rowStart: start,
        rowEnd: end,
        ...(chosen && { columns: [...chosen] }),
      }).catch((error: unknown) => {
        throw invalid(
          `${file}, row group ${group} (rows ${start} to ${end - 1})`,
          messageOf(error),
          "whole pages",
        );
      });
      for (const [index, row] of part.entries()) {
        yield { row: plainRow(row), place: `${file}, row ${start + index}` };
      }
      start += Number(num_rows);
    }
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    throw invalid(file, messageOf(error), "a parquet file");
  } finally {
    await handle.close();
  }
}

function plainRow(row: Readonly<Record<string, unknown>>): TableRow {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plainValue(value)]));
}

/** Whole numbers come as bigint; those that a double holds exactly become numbers. */
function plainValue(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return plainRow(value as Record<string, unknown>);
  }
  return value;
}

function rowOf(value: unknown, place: string): TableRow {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as TableRow;
  throw invalid(place, `it is ${JSON.stringify(value)?.slice(0, 60)}`, "a JSON object");
}

function invalid(place: string, found: string, expected: string): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `${place} cannot be read: ${found.replace(/\.$/, "")}. Expected ${expected}.`,
  );
}
