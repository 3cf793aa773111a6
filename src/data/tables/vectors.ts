import { createReadStream } from "node:fs";
import { ElenchusError, numpyShuffle, parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { findFile, obtainFile, type SourcePlaces } from "../files/sourceFile.js";
import { tarFiles } from "../files/tarFile.js";
import { damaged } from "../files/wholeFile.js";
import { keptDatasource } from "../rows/keptDatasource.js";
import type { StoredRows } from "../rows/rowsFile.js";
import { vectorOptions } from "./tableOptions.js";
import { vectorRows } from "./vectorRows.js";

const CLASSES = 100;
const MIRRORS = [
  "https://www.comp.nus.edu.sg/~reza/files",
  "https://github.com/privacytrustlab/datasets/raw/master",
];

/**
 * Purchase-100 (Shokri, Stronati, Song and Shmatikov 2017, arXiv:1610.05820): what 197,324 customers bought, 600 yes or no,
 * in 100 styles. A line is the style, from 1, and the 600.
 */
export function purchase(request: DatasourceRequest): Promise<Datasource> {
  const places = { source: "Purchase", folders: ["", "purchase"], mirrors: MIRRORS };
  const files = [{ name: "dataset_purchase", others: ["dataset_purchase.csv", "purchase.csv"], width: 601 }];
  return vectors({ name: "Purchase", archive: "dataset_purchase.tgz", places, files }, request);
}

/**
 * Texas-100 (the same paper): 67,330 hospital stays, 6,169 yes or no, in 100 procedures, which stand in a file of their own.
 */
export function texas(request: DatasourceRequest): Promise<Datasource> {
  const places = { source: "Texas", folders: ["texas/100", "texas", ""], mirrors: MIRRORS };
  const files = [
    { name: "labels", others: ["labels.csv"], width: 1 },
    { name: "feats", others: ["feats.csv"], width: 6169 },
  ];
  return vectors({ name: "Texas", archive: "dataset_texas.tgz", places, files }, request);
}

/** A data set of 0 and 1, its labels in the first file, or the first column of the only one. */
interface VectorSet {
  readonly name: string;
  readonly archive: string;
  readonly places: SourcePlaces;
  readonly files: readonly {
    readonly name: string;
    readonly others: readonly string[];
    readonly width: number;
  }[];
}

/** Shuffled as Plato does, with NumPy's seed 0; then rows to train on and rows to test on. */
async function vectors(set: VectorSet, request: DatasourceRequest): Promise<Datasource> {
  const { train_rows, test_rows } = parseOptions(vectorOptions, request.options, `[data] of ${set.name}`);
  const loose = await looseFiles(set, request);
  const archive = loose ?? (await obtainFile({ name: set.archive }, set.places, request));
  const sources = typeof archive === "string" ? [archive] : archive;
  return keptDatasource(
    {
      dataPath: request.dataPath,
      name: set.name,
      sources,
      key: ["vectors", 1, set.name, train_rows, test_rows],
    },
    async () => {
      const columns =
        typeof archive === "string" ? await inArchive(archive, set) : await inFolder(archive, set);
      const { rows, labelOf } = joined(set, columns, sources.join(", "));
      if (rows.length < train_rows + test_rows) throw tooFew(set, rows.length, train_rows, test_rows);
      const order = numpyShuffle(rows.length, 0);
      const part = (from: number, to: number): StoredRows => {
        const places = order.subarray(from, to);
        const width = rows[0]!.length;
        const numbers = new Uint8Array(places.length * width);
        places.forEach((place, index) => {
          numbers.set(rows[place]!, index * width);
        });
        return { numbers, inputShape: [width], classes: CLASSES, labels: Int32Array.from(places, labelOf) };
      };
      return { train: part(0, train_rows), test: part(train_rows, train_rows + test_rows) };
    },
  );
}

async function looseFiles(
  { files, places }: VectorSet,
  request: DatasourceRequest,
): Promise<string[] | undefined> {
  const found: string[] = [];
  for (const file of files) {
    const path = await findFile(file, places, request);
    if (path === undefined) return undefined;
    found.push(path);
  }
  return found;
}

async function inFolder(paths: readonly string[], { files }: VectorSet): Promise<Uint8Array[][]> {
  const columns: Uint8Array[][] = [];
  for (const [place, path] of paths.entries()) {
    const pieces = createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>;
    columns.push(await allOf(vectorRows(pieces, path, files[place]!.width)));
  }
  return columns;
}

async function inArchive(archive: string, { files }: VectorSet): Promise<Uint8Array[][]> {
  const columns = new Map<string, Uint8Array[]>();
  for await (const { name, content } of tarFiles(archive)) {
    const last = name.split("/").at(-1)!;
    const file = files.find((each) => each.name === last);
    if (file) columns.set(last, await allOf(vectorRows(content(), `${archive}/${name}`, file.width)));
  }
  return files.map(({ name }) => {
    const rows = columns.get(name);
    if (rows === undefined) throw damaged(archive, `it has no ${name}`, "the published archive");
    return rows;
  });
}

async function allOf(rows: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function joined(
  { files }: VectorSet,
  [first = [], second]: readonly Uint8Array[][],
  file: string,
): { rows: readonly Uint8Array[]; labelOf: (place: number) => number } {
  if (second !== undefined && second.length !== first.length) {
    throw damaged(
      file,
      `${first.length} ${files[0]!.name} for ${second.length} ${files[1]!.name}`,
      "as many",
    );
  }
  for (const [place, row] of first.entries()) {
    const label = row[0]!;
    if (label < 1 || label > CLASSES) {
      throw damaged(`${file}, line ${place + 1}`, `the label is ${label}`, `1 to ${CLASSES}`);
    }
  }
  return {
    rows: second ?? first.map((row) => row.subarray(1)),
    labelOf: (place) => first[place]![0]! - 1,
  };
}

function tooFew({ name }: VectorSet, rows: number, train: number, test: number): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `${name} has ${rows} rows, but data.train_rows = ${train} and data.test_rows = ${test} ask for ${train + test}. Lower them.`,
    { details: { path: ["data", "train_rows"] } },
  );
}
