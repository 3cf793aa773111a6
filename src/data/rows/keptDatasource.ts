import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { makeFolder, writeAtomic } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import { BlockDataset } from "./blockDataset.js";
import { MemoryBlock } from "./rowBlock.js";
import { openRows, rowsFile, type StoredRows } from "./rowsFile.js";

/** Where rows are kept and what decides them. */
export interface KeptAs {
  /** `data.data_path`; they go to `rows/` in it. */
  readonly dataPath: string;
  /** Name of the datasource. */
  readonly name: string;
  /** Files that they were read from. */
  readonly sources: readonly string[];
  /** Whatever else decides them: options, the number of the way of making them. */
  readonly key: unknown;
}

/** Rows to train and to test on. */
export interface StoredParts {
  readonly train: StoredRows;
  readonly test: StoredRows;
}

/**
 * Data sets whose rows are read once and then kept in files, from which every process of a run reads what it needs: the
 * pages of a file are in memory once, however many processes use them. Few rows are held in memory instead, as are all
 * where the folder cannot be written.
 */
export async function keptDatasource(as: KeptAs, make: () => Promise<StoredParts>): Promise<Datasource> {
  const digest = await digestOf(as);
  const folder = join(as.dataPath, "rows");
  const file = (part: string) => join(folder, `${as.name}-${digest}.${part}.rows`);
  const [keptTrain, keptTest] = await Promise.all([openRows(file("train")), openRows(file("test"))]);
  if (keptTrain && keptTest) return { trainset: keptTrain, testset: keptTest };
  const { train, test } = await make();
  const inMemory = (rows: StoredRows) => new BlockDataset(new MemoryBlock(rows.numbers, widthOf(rows)), rows);
  // Rows that do not fit together are found before they are kept.
  const made = { trainset: inMemory(train), testset: inMemory(test) };
  if (train.numbers.byteLength + test.numbers.byteLength < KEPT_FROM) return made;
  try {
    await makeFolder(folder);
    await writeAtomic(file("train"), rowsFile(train));
    await writeAtomic(file("test"), rowsFile(test));
  } catch {
    // What is not kept is read again by the next process: slower, but the same.
    return made;
  }
  const [trainset, testset] = await Promise.all([openRows(file("train")), openRows(file("test"))]);
  return trainset && testset ? { trainset, testset } : made;
}

/** Bytes of rows from which on they stay in a file. */
const KEPT_FROM = 4 * 2 ** 20;

function widthOf({ inputShape }: StoredRows): number {
  return inputShape.reduce((product, size) => product * size, 1);
}

/** Of the content of the files, not of their names or times: a file that was replaced is another one. */
async function digestOf({ sources, key }: KeptAs): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(key));
  for (const source of sources) {
    const content = createHash("sha256");
    for await (const chunk of createReadStream(source, { highWaterMark: 2 ** 20 })) {
      content.update(chunk as Buffer);
    }
    digest.update(content.digest());
  }
  return digest.digest("hex").slice(0, 32);
}
