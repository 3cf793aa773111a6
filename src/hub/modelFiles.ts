import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ElenchusError } from "../base/index.js";
import type { HubEnvironment, HubFiles, HubRequest } from "./hubRequest.js";
import { resolveFiles } from "./resolveFiles.js";
import { isSafePath } from "./safeNames.js";

/** A model's files, and which of them are its weights. */
export interface ModelFiles extends HubFiles {
  /** Paths of the safetensors files, by name; one, or the shards of an index. */
  readonly weights: readonly string[];
}

const WEIGHTS = "model.safetensors";
const INDEX = "model.safetensors.index.json";

/**
 * The files of a model: `config.json`, its weights as safetensors (one file, else the shards that its index
 * names), and small files beside them that match `patterns` (by default JSON, templates and rank files).
 * @throws as `resolveFiles`; HUB_NOT_FOUND where there are no safetensors
 */
export async function resolveModelFiles(
  request: Omit<HubRequest, "kind" | "files">,
  environment: HubEnvironment,
): Promise<ModelFiles> {
  const patterns = request.patterns ?? ["[!.]*.json", "*.jinja", "*.tiktoken"];
  const model = { ...request, kind: "model" } as const;
  const small = await resolveFiles(
    { ...model, files: ["config.json"], patterns: [...patterns, INDEX] },
    environment,
  );
  // From here on at the commit that was found, also if the branch moves meanwhile.
  const fixed = {
    ...model,
    refresh: false,
    ...(small.commit === undefined ? {} : { revision: small.commit }),
  };
  const index = small.files.get(INDEX);
  const names = index === undefined ? [WEIGHTS] : await readShardIndex(index);
  const weights = await resolveFiles({ ...fixed, files: names, patterns: [] }, environment);
  return {
    folder: small.folder,
    source: weights.source === "download" ? "download" : small.source,
    commit: small.commit,
    files: new Map([...small.files, ...weights.files]),
    weights: names.map((name) => weights.files.get(name)!),
  };
}

/**
 * The names of the files that a safetensors index spreads its tensors over, each once, sorted.
 * @throws INPUT_UNREADABLE
 */
export async function readShardIndex(path: string): Promise<string[]> {
  let parsed: z.infer<typeof indexSchema>;
  try {
    parsed = indexSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `${path} is no index of safetensors files. Expected a "weight_map" from tensors to files; fetch it anew.`,
      { cause: error },
    );
  }
  return [...new Set(Object.values(parsed.weight_map))].sort();
}

const indexSchema = z.object({
  weight_map: z
    .record(
      z.string(),
      z.string().refine((name) => isSafePath(name) && name.endsWith(".safetensors")),
    )
    .refine((map) => Object.keys(map).length > 0),
});
