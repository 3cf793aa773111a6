import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ElenchusError, messageOf } from "../../base/index.js";
import { fetchFile } from "../../hub/index.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { hubOf } from "../text/textDatasource.js";

/** A file of a data set. */
export interface WantedFile {
  /** What it is called at the servers that have it. */
  readonly name: string;
  /** What it may be called here beside that, for example unpacked; the first that is there counts. */
  readonly others?: readonly string[];
  /** What its content must be where it is fetched. */
  readonly sha256?: string;
}

/** Where the files of a data set may be. */
export interface SourcePlaces {
  /** Name of the datasource. */
  readonly source: string;
  /** Folders under `data_path` where other programs put them, the first that where they are fetched to. */
  readonly folders: readonly string[];
  /** Folders of the system. */
  readonly system?: readonly string[];
  /** Servers that have them, the one that is asked first in front. */
  readonly mirrors: readonly string[];
  /** How the files come here by other means, as a sentence. */
  readonly hint?: string;
}

/** Keys of sources whose files may be fetched. */
export const fetchKeys = {
  mirrors: z
    .array(z.url({ protocol: /^https?$/, error: "expected addresses of http or https" }))
    .min(1)
    .optional()
    .meta({
      description:
        "Addresses to fetch files from that are not here, without the name of the file: the first that gives it counts.",
    }),
  sha256: z
    .record(z.string(), z.string().regex(/^[0-9a-f]{64}$/, { error: "expected 64 hexadecimal digits" }))
    .optional()
    .meta({
      description: "SHA-256 of files that are fetched, by name, in place of the known ones.",
    }),
};

/** The path of a file where it is on this machine: in `data_path`, else in a folder of the system. */
export async function findFile(
  { name, others = [] }: Pick<WantedFile, "name" | "others">,
  { folders, system = [] }: SourcePlaces,
  { dataPath }: DatasourceRequest,
): Promise<string | undefined> {
  for (const folder of [dataPath, ...folders.map((each) => join(dataPath, each)), ...system]) {
    for (const each of [name, ...others]) {
      const path = resolve(folder, each);
      if (await isFile(path)) return path;
    }
  }
  return undefined;
}

/**
 * The path of a file, which is fetched where it is not on this machine.
 * @throws DATA_INVALID with the key at fault, saying where it was looked for and what each server said; HUB_CORRUPT for
 *   another content than expected
 */
export async function obtainFile(
  wanted: WantedFile,
  places: SourcePlaces,
  request: DatasourceRequest,
): Promise<string> {
  const found = await findFile(wanted, places, request);
  if (found !== undefined) return found;
  const { name } = wanted;
  const given = z.looseObject(fetchKeys).parse(request.options);
  const target = join(request.dataPath, places.folders[0] ?? "", name);
  const addresses = (given.mirrors ?? places.mirrors).map(
    (mirror) => `${mirror.replace(/\/+$/, "")}/${name}`,
  );
  const sha256 = given.sha256?.[name] ?? wanted.sha256;
  try {
    await fetchFile({ name, addresses, target, sha256 }, hubOf(request));
    return target;
  } catch (error) {
    if (!(error instanceof ElenchusError) || error.code === "INTERRUPTED") throw error;
    throw new ElenchusError(error.code, notThere(wanted, places, request, messageOf(error)), {
      cause: error,
      details: { path: ["data", given.mirrors === undefined ? "data_path" : "mirrors"] },
    });
  }
}

function notThere(
  { name, others = [] }: WantedFile,
  { source, folders, system = [], hint }: SourcePlaces,
  { dataPath }: DatasourceRequest,
  reason: string,
): string {
  const looked = [dataPath, ...folders.map((folder) => join(dataPath, folder)), ...system].join(", ");
  const mend = hint === undefined ? "" : ` ${hint}`;
  return `${source} needs ${[name, ...others].join(" or ")}, which is in none of ${looked}. ${reason} Put the file into data.data_path, or set data.mirrors to a server that has it.${mend}`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
