import { ElenchusError, inShort } from "../../base/index.js";
import { tableFormat } from "./tableFile.js";

/** Other words for the names of splits, as data sets on hubs have them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  train: ["train", "training"],
  validation: ["validation", "valid", "val", "dev"],
  test: ["test", "testing", "eval", "evaluation"],
};

/** Which files are looked for. */
export interface SplitRequest {
  /** Name of the data set, for messages. */
  readonly data: string;
  readonly split: string;
  readonly config: string | undefined;
}

/**
 * The files of a split among the files of a repository, sorted: those that bear its name between borders
 * (`data/train-00000-of-00002.parquet`, `en/validation.jsonl.gz`) and lie in the folder of the configuration or
 * begin with its name. Where no file bears any split's name, all are `train`. Where one table comes in several
 * formats, parquet is taken, then JSON, then CSV.
 * @throws DATA_INVALID where there are none, or those of several configurations; `details.field` is what of the request
 *   is at fault
 */
export function splitFiles(names: readonly string[], { data, split, config }: SplitRequest): string[] {
  const invalid = (found: string, expected: string, field: string) =>
    new ElenchusError(
      "DATA_INVALID",
      `The data set ${data} cannot be used as asked: ${found}. Expected ${expected}.`,
      { details: { field } },
    );
  const tables = names.filter((name) => tableFormat(name) !== undefined && !HIDDEN.test(name)).sort();
  const own = config === undefined ? tables : ofConfig(tables, config);
  if (own.length === 0) {
    throw config === undefined || tables.length === 0
      ? invalid(`there is no table among its ${names.length} files`, "parquet, JSON lines or CSV", "name")
      : invalid(
          `no file of it belongs to the configuration ${JSON.stringify(config)}`,
          `one of its folders: ${foldersOf(tables).join(", ")}`,
          "config",
        );
  }
  const bearing = own.filter((name) => bears(withoutConfig(name, config), split));
  const nobody = Object.values(SYNONYMS).every(
    (words) => !own.some((name) => words.some((word) => hasWord(name, word))),
  );
  const exact = bearing.filter((name) => isCalled(withoutConfig(name, config), split));
  const unnamed = nobody && split === "train" ? own : [];
  const found = [exact, bearing, unnamed].find((files) => files.length > 0) ?? [];
  if (found.length === 0) {
    throw invalid(
      `no file of it bears the name of the split ${JSON.stringify(split)}`,
      `one of ${inShort(own)}`,
      "split",
    );
  }
  const folders = foldersOf(found);
  if (folders.length > 1) {
    throw invalid(
      `the split ${JSON.stringify(split)} has files of several configurations`,
      `data.dataset_config to be one of ${folders.join(", ")}`,
      "config",
    );
  }
  return ofBestFormat(found);
}

/** Descriptions that hubs put beside data. */
const HIDDEN = /(^|\/)(\.|dataset_infos?\.json$|dataset_dict\.json$|state\.json$|dataset_info\.json$)/;

function ofConfig(names: readonly string[], config: string): string[] {
  const inFolder = names.filter((name) => name.split("/").slice(0, -1).includes(config));
  if (inFolder.length > 0) return inFolder;
  const called = names.filter((name) => startsWithWord(name.split("/").at(-1)!, config));
  // Data sets of a single configuration often have no folder for it.
  return called.length > 0 || config !== "default" ? called : [...names];
}

/** A configuration may be called as a split is; its own name says nothing of the split. */
function withoutConfig(name: string, config: string | undefined): string {
  if (config === undefined) return name;
  const parts = name.split("/");
  const file = parts.pop()!;
  const rest = startsWithWord(file, config) && file.length > config.length ? file.slice(config.length) : file;
  return [...parts.filter((part) => part !== config), rest].join("/");
}

/** Whether a file is called as the split, its number among its shards aside: `train_sft` is not `train`. */
function isCalled(name: string, split: string): boolean {
  const stem = name
    .split("/")
    .at(-1)!
    .replace(/(\.[a-z]+)(\.gz)?$/i, "");
  return stem.replace(/-\d+(-of-\d+)?(-[0-9a-f]+)?$/, "").replace(BORDER_FIRST, "") === split;
}

function bears(name: string, split: string): boolean {
  const words = Object.hasOwn(SYNONYMS, split) ? SYNONYMS[split]! : [split];
  return words.some((word) => hasWord(name, word));
}

function hasWord(name: string, word: string): boolean {
  return ` ${name} `
    .split(BORDER)
    .join(" ")
    .includes(` ${word.split(BORDER).join(" ")} `);
}

function startsWithWord(name: string, word: string): boolean {
  return name === word || (name.startsWith(word) && BORDER.test(name[word.length]!));
}

const BORDER = /[/_.\-\s]/;
const BORDER_FIRST = /^[_.\-\s]+/;

/** Folders of files; shards may lie in a folder called as their split. */
function foldersOf(names: readonly string[]): string[] {
  const folder = (name: string) => {
    const parts = name.split("/").slice(0, -1);
    const plain = parts.filter((part) => part !== "data" && !Object.values(SYNONYMS).flat().includes(part));
    return plain.join("/");
  };
  return [...new Set(names.map(folder))].sort();
}

function ofBestFormat(names: readonly string[]): string[] {
  for (const formats of [["parquet"], ["jsonl", "ndjson", "json"], ["csv", "tsv"], ["xlsx"]]) {
    const found = names.filter((name) => formats.includes(tableFormat(name)!));
    if (found.length > 0) return found;
  }
  return [...names];
}
