import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { messageOf } from "../base/index.js";
import { eachSafetensor, readSafetensorsHeader } from "./safetensors.js";
import { invalidCheckpoint } from "./safetensorsHeader.js";
import type { WeightArray } from "./weights.js";

const FILE = "model.safetensors";
const INDEX = "model.safetensors.index.json";

/** The arrays of a model that lies in one file or in several. */
export interface SafetensorsFolder {
  /** Shapes by name. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  /**
   * Reads arrays one by one, file by file; none is held here once `use` is through with it.
   * @throws CHECKPOINT_INVALID
   */
  read(use: (name: string, array: WeightArray) => void, wanted?: (name: string) => boolean): Promise<void>;
}

/**
 * Opens the weights of a published model: `model.safetensors`, or the files that `model.safetensors.index.json`
 * names, or one such file or index given itself. Only headers are read yet.
 * @throws CHECKPOINT_INVALID when there is none, the index is malformed or names a file outside its folder, or an
 *   array is not in the file that the index says
 */
export async function openSafetensors(path: string): Promise<SafetensorsFolder> {
  const files = await filesOf(path);
  const shapes = new Map<string, readonly number[]>();
  for (const [file, names] of files) {
    const { entries } = await readSafetensorsHeader(file);
    const found = new Map(entries.map(({ name, shape }) => [name, shape]));
    for (const name of names ?? found.keys()) {
      const shape = found.get(name);
      if (!shape) {
        throw invalidCheckpoint(
          file,
          null,
          `the array ${JSON.stringify(name)} is not here, where the index has it.`,
        );
      }
      shapes.set(name, shape);
    }
  }
  return {
    shapes,
    async read(use, wanted = () => true) {
      for (const [file, names] of files) {
        await eachSafetensor(file, (name) => (names?.has(name) ?? true) && wanted(name), use);
      }
    },
  };
}

/** Files with the names to be read from each; undefined: all. */
async function filesOf(path: string): Promise<Map<string, ReadonlySet<string> | undefined>> {
  if (path.endsWith(".json")) return filesInIndex(path);
  if (!(await isFolder(path))) return new Map([[path, undefined]]);
  if (await exists(join(path, FILE))) return new Map([[join(path, FILE), undefined]]);
  if (await exists(join(path, INDEX))) return filesInIndex(join(path, INDEX));
  throw invalidCheckpoint(path, null, `there is neither ${FILE} nor ${INDEX} in this folder.`);
}

/** A name and nothing that leads elsewhere: the index comes from whoever published the model. */
const fileName = z
  .string()
  .regex(/^[^/\\\0.][^/\\\0]*\.safetensors$/, "expected the name of a .safetensors file beside the index");
const indexSchema = z.object({ weight_map: z.record(z.string(), fileName) });

async function filesInIndex(path: string): Promise<Map<string, Set<string>>> {
  let index: unknown;
  try {
    index = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw invalidCheckpoint(path, null, `the index cannot be read: ${messageOf(error)}.`, error);
  }
  const parsed = indexSchema.safeParse(index);
  if (!parsed.success) {
    throw invalidCheckpoint(
      path,
      null,
      `the index has faults: ${z.prettifyError(parsed.error)}.`,
      parsed.error,
    );
  }
  const files = new Map<string, Set<string>>();
  for (const [name, file] of Object.entries(parsed.data.weight_map)) {
    const at = join(dirname(path), file);
    const names = files.get(at);
    if (names) names.add(name);
    else files.set(at, new Set([name]));
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
