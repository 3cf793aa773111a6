import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { ElenchusError, messageOf, parseOptions } from "../../base/index.js";
import { listFiles } from "../../hub/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { textFilesOptions } from "./sourceOptions.js";
import { splitTexts } from "./splitText.js";
import { hubOf, textDatasource } from "./textDatasource.js";

interface Document {
  readonly text: string;
  readonly place: string;
  readonly owner: string;
}

/**
 * Text files. Of a folder those are read that end in .txt, .md or .text, in the order of their names, those of the
 * folders in it too.
 * @throws DATA_INVALID naming a file or folder that cannot be read, or the place where it is not UTF-8
 */
export async function textFiles(request: DatasourceRequest): Promise<Datasource> {
  const options = parseOptions(textFilesOptions, request.options, "[data] of text");
  const read = (key: "train_path" | "test_path", paths: readonly string[]) =>
    readDocuments(request, key, paths, options.owner);
  const train = await read("train_path", options.train_path);
  const parts =
    options.test_path === undefined
      ? splitTexts(train, options.validation_fraction)
      : { train: train.map(whole), test: (await read("test_path", options.test_path)).map(whole) };
  return textDatasource({ ...parts, name: options.train_path.join(", ") }, request);
}

function whole({ text, place, owner }: Document) {
  return { content: { kind: "text" as const, text }, place, owner };
}

async function readDocuments(
  request: DatasourceRequest,
  key: string,
  paths: readonly string[],
  owner: "file" | "folder",
): Promise<Document[]> {
  const files = new Map<string, string>();
  for (const path of paths) {
    const place = resolve(request.dataPath, path);
    const entry = await stat(place).catch((error: unknown) => {
      throw unreadable(place, key, messageOf(error));
    });
    if (!entry.isDirectory()) {
      files.set(place, basename(place));
      continue;
    }
    const names = await listFiles({ kind: "dataset", name: place }, hubOf(request));
    const texts = names.filter((name) => TEXTS.includes(extname(name).toLowerCase()));
    if (texts.length === 0) throw unreadable(place, key, `it holds no file that ends in ${TEXTS.join(", ")}`);
    for (const name of texts) files.set(join(place, name), relative(place, join(place, name)));
  }
  const documents: Document[] = [];
  for (const [file, name] of files) {
    const text = decode(
      await readFile(file).catch((error: unknown) => {
        throw unreadable(file, key, messageOf(error));
      }),
      file,
    );
    documents.push({ text, place: file, owner: owner === "file" ? name : dirname(name) });
  }
  return documents;
}

const TEXTS = [".txt", ".text", ".md"];

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ElenchusError(
      "DATA_INVALID",
      `${file} is no UTF-8 text: the bytes from offset ${firstFault(bytes)} on are none. Convert it to UTF-8.`,
      { cause: error, details: { path: ["data", "train_path"] } },
    );
  }
}

/** Where decoding goes wrong: up to there the bytes come back from the text as they were. */
function firstFault(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString("utf8"));
  let place = 0;
  while (place < bytes.length && bytes[place] === again[place]) place++;
  return place;
}

function unreadable(path: string, key: string, found: string): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `data.${key} names ${path}, which cannot be read: ${found}. Expected a text file, or a folder of them, under data.data_path.`,
    { details: { path: ["data", key] } },
  );
}
