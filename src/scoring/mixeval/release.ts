import { readdir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { ElenchusError } from "../../base/index.js";
import { type HubEnvironment, listFiles, resolveFiles } from "../../hub/index.js";
import { readQuestions } from "./mixEvalFiles.js";
import type { MixEvalRow } from "./mixEvalRow.js";
import {
  benchmarkNamed,
  kindOfRow,
  MIXEVAL_BENCHMARKS,
  type MixEvalBenchmark,
  type QuestionKind,
  VERSION,
} from "./publishedNames.js";

/** Which questions are wanted. */
export interface ReleaseRequest {
  /** A folder with a release or several, or a data set of the hub as `owner/name[@revision]`. */
  readonly data: string;
  /** The day of the release. Default: the newest there is. Where the files name none, what to call it. */
  readonly version?: string | undefined;
  /** Default: those there are. */
  readonly benchmarks?: readonly MixEvalBenchmark[] | undefined;
}

/** The questions of one file. */
export interface ReleaseSplit {
  readonly benchmark: MixEvalBenchmark;
  readonly kind: QuestionKind;
  readonly file: string;
  /** In the order of the file, by id. */
  readonly rows: ReadonlyMap<string, MixEvalRow>;
}

/** A release of MixEval. */
export interface Release {
  /** Null where neither the files nor the request name one. */
  readonly version: string | null;
  /** Benchmark after benchmark, free-form questions first. */
  readonly splits: readonly ReleaseSplit[];
}

/** The repository of MixEval's authors. */
export const MIXEVAL_REPOSITORY = "MixEval/MixEval";

/**
 * Finds and reads a release: `free-form` and `multiple-choice` (also `free_form...`) as JSON, JSON lines or parquet below
 * folders called `mixeval`, `mixeval-hard`, with the day at the end of a folder's name where there are several releases.
 * A folder on this machine counts first; then the hub's cache, then the hub.
 * @throws INPUT_UNREADABLE, DATA_INVALID; what the hub throws
 */
export async function findRelease(request: ReleaseRequest, hub: HubEnvironment): Promise<Release> {
  const [, name, revision] = /^(.+?)(?:@([^@/\\]+))?$/s.exec(request.data)!;
  const repository = { kind: "dataset" as const, name: name!, ...(revision && { revision }) };
  const local = await localFiles(request.data);
  if (local === undefined && !/^[^/\\.][^/\\]*\/[^/\\]+$/.test(name!)) {
    throw unreadable(
      `${request.data} is no folder`,
      "one with free-form.json and multiple-choice.json, or a data set of the hub as owner/name",
    );
  }
  const candidates = (local ?? (await listFiles(repository, hub))).flatMap((path) =>
    splitOf(path, local === undefined ? [] : resolve(request.data).split(sep)),
  );
  const chosen = chosenSplits(candidates, request);
  const folder =
    local === undefined
      ? (await resolveFiles({ ...repository, files: chosen.map(({ path }) => path) }, hub)).folder
      : request.data;
  const version = chosen[0]!.version ?? request.version ?? null;
  if (chosen[0]!.version === null && request.version !== undefined) {
    hub.logger.warn(
      `the files of ${request.data} name no release; they are taken as that of ${request.version}`,
    );
  }
  return { version, splits: await readSplits(folder, chosen) };
}

interface FoundSplit {
  /** Below the folder or repository, with slashes. */
  readonly path: string;
  readonly benchmark: MixEvalBenchmark;
  readonly version: string | null;
  readonly kind: QuestionKind;
}

/** The hub's parquet files are numbered: `free_form-00000-of-00001.parquet`. */
const SPLIT_FILE = /^(free[-_]form|multiple[-_]choice)(?:-[-0-9of]+)?\.(?:json|jsonl|parquet)$/;

/** Undefined where there is no such folder. */
async function localFiles(data: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(data, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(data, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort();
  } catch {
    return undefined;
  }
}

/** @param above folders that the place itself lies in: it may be one benchmark's */
function splitOf(path: string, above: readonly string[]): FoundSplit[] {
  const parts = path.split("/");
  const [, form] = SPLIT_FILE.exec(parts.at(-1)!) ?? [];
  if (form === undefined) return [];
  const folders = [...above, ...parts.slice(0, -1)].reverse();
  const benchmark = folders.map(benchmarkNamed).find((one) => one !== undefined) ?? "mixeval";
  const version = folders.map((one) => VERSION.exec(one)?.[0]).find((one) => one !== undefined) ?? null;
  return [{ path, benchmark, version, kind: form.startsWith("free") ? "freeform" : "multichoice" }];
}

function chosenSplits(found: readonly FoundSplit[], request: ReleaseRequest): FoundSplit[] {
  const { data, version, benchmarks } = request;
  if (found.length === 0) {
    throw unreadable(`${data} has no release of MixEval`, "free-form.json and multiple-choice.json there");
  }
  const versions = [...new Set(found.flatMap((one) => one.version ?? []))].sort();
  const wanted = versions.length === 0 ? null : (version ?? versions.at(-1)!);
  if (wanted !== null && !versions.includes(wanted)) {
    throw unreadable(`${data} has no release of ${wanted}`, `one of ${versions.join(", ")}`);
  }
  const released = found.filter((one) => one.version === wanted);
  const there = MIXEVAL_BENCHMARKS.filter((name) => released.some(({ benchmark }) => benchmark === name));
  const missing = benchmarks?.find((name) => !there.includes(name));
  if (missing !== undefined) {
    throw unreadable(`${data} has no files of ${missing}`, `one of ${there.join(", ")}`);
  }
  const chosen = (benchmarks ?? there).flatMap((benchmark) =>
    (["freeform", "multichoice"] as const).flatMap((kind) =>
      released.filter((one) => one.benchmark === benchmark && one.kind === kind),
    ),
  );
  requireOneEach(chosen, data);
  return chosen;
}

/** Two copies of one file must not pass for twice the questions. */
function requireOneEach(chosen: readonly FoundSplit[], data: string): void {
  for (const [place, one] of chosen.entries()) {
    const before = chosen[place - 1];
    if (before?.benchmark !== one.benchmark || before.kind !== one.kind) continue;
    throw unreadable(
      `${data} has ${before.path} and ${one.path} for the same questions`,
      "one file of each kind: name the folder of one of them",
    );
  }
}

async function readSplits(folder: string, chosen: readonly FoundSplit[]): Promise<ReleaseSplit[]> {
  return await Promise.all(
    chosen.map(async ({ path, benchmark, kind }) => {
      const [read] = await readQuestions(join(folder, path));
      const { file, rows } = read!;
      for (const [id, row] of rows) {
        if (kindOfRow(row) === kind) continue;
        throw new ElenchusError(
          "DATA_INVALID",
          `${file}, row ${id} is ${JSON.stringify(row.problem_type)}, and the file is for the other kind. Expected free-form questions and choices in files of their own.`,
        );
      }
      return { benchmark, kind, file, rows };
    }),
  );
}

function unreadable(found: string, expected: string): ElenchusError {
  return new ElenchusError("INPUT_UNREADABLE", `${found}. Expected ${expected}.`);
}
