import { join } from "node:path";
import { parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { findFile, obtainFile, type SourcePlaces } from "../files/sourceFile.js";
import { tarFiles } from "../files/tarFile.js";
import { damaged, wholeFile } from "../files/wholeFile.js";
import { keptDatasource } from "../rows/keptDatasource.js";
import { type CifarForm, cifarRows } from "./cifarRecords.js";
import { cifar100Options } from "./imageOptions.js";

/** Small photographs (Krizhevsky 2009) in ten classes, in the binary version: 50,000 and 10,000 images of 32x32x3. */
export function cifar10(request: DatasourceRequest): Promise<Datasource> {
  const form = { labels: 1, label: 0, classes: 10, classNames: CIFAR10_CLASSES };
  return cifar("CIFAR10", CIFAR10, form, request);
}

/** The same in a hundred classes, or the twenty that they belong to. */
export function cifar100(request: DatasourceRequest): Promise<Datasource> {
  const { label_mode } = parseOptions(cifar100Options, request.options, "[data] of CIFAR100");
  const form =
    label_mode === "fine" ? { labels: 2, label: 1, classes: 100 } : { labels: 2, label: 0, classes: 20 };
  return cifar(label_mode === "fine" ? "CIFAR100" : "CIFAR100-coarse", CIFAR100, form, request);
}

interface CifarFiles {
  readonly places: SourcePlaces;
  readonly archive: string;
  readonly sha256: string;
  readonly train: readonly string[];
  readonly test: readonly string[];
}

const MIRRORS = ["https://www.cs.toronto.edu/~kriz"];

const CIFAR10: CifarFiles = {
  places: { source: "CIFAR10", folders: ["", "cifar-10-batches-bin", "CIFAR10"], mirrors: MIRRORS },
  archive: "cifar-10-binary.tar.gz",
  sha256: "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
  train: [1, 2, 3, 4, 5].map((batch) => `data_batch_${batch}.bin`),
  test: ["test_batch.bin"],
};
const CIFAR10_CLASSES = [
  "airplane",
  "automobile",
  "bird",
  "cat",
  "deer",
  "dog",
  "frog",
  "horse",
  "ship",
  "truck",
];

const CIFAR100: CifarFiles = {
  places: { source: "CIFAR100", folders: ["", "cifar-100-binary", "CIFAR100"], mirrors: MIRRORS },
  archive: "cifar-100-binary.tar.gz",
  sha256: "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
  train: ["train.bin"],
  test: ["test.bin"],
};

async function cifar(
  name: string,
  files: CifarFiles,
  form: CifarForm,
  request: DatasourceRequest,
): Promise<Datasource> {
  const beside = await looseFiles(files, request);
  const archive =
    beside ?? (await obtainFile({ name: files.archive, sha256: files.sha256 }, files.places, request));
  const sources = typeof archive === "string" ? [archive] : [...archive.values()];
  return keptDatasource({ dataPath: request.dataPath, name, sources, key: ["cifar", 1, form] }, async () => {
    const contents = typeof archive === "string" ? await inArchive(archive, files) : await inFolder(archive);
    const part = (names: readonly string[]) =>
      cifarRows(
        names.map((each) => contents.get(each)!),
        form,
      );
    return { train: part(files.train), test: part(files.test) };
  });
}

/** The files where they lie unpacked, all of them. */
async function looseFiles(
  files: CifarFiles,
  request: DatasourceRequest,
): Promise<Map<string, string> | undefined> {
  const found = new Map<string, string>();
  for (const name of [...files.train, ...files.test]) {
    const path = await findFile({ name }, files.places, request);
    if (path === undefined) return undefined;
    found.set(name, path);
  }
  return found;
}

/** Content by name, with where it stands for messages. */
type Contents = Map<string, { file: string; bytes: Uint8Array }>;

async function inFolder(paths: ReadonlyMap<string, string>): Promise<Contents> {
  const contents: Contents = new Map();
  for (const [name, file] of paths) contents.set(name, { file, bytes: await wholeFile(file) });
  return contents;
}

async function inArchive(archive: string, { train, test }: CifarFiles): Promise<Contents> {
  const wanted = new Set([...train, ...test]);
  const contents: Contents = new Map();
  for await (const { name, content } of tarFiles(archive)) {
    const last = name.split("/").at(-1)!;
    if (!wanted.has(last)) continue;
    const pieces: Buffer[] = [];
    for await (const piece of content()) pieces.push(piece);
    contents.set(last, { file: join(archive, name), bytes: Buffer.concat(pieces) });
  }
  const missing = [...wanted].filter((each) => !contents.has(each));
  if (missing.length === 0) return contents;
  throw damaged(archive, `it has no ${missing.join(", ")}`, "the binary version, which holds .bin files");
}
