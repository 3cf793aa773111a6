import { stat } from "node:fs/promises";
import { ElenchusError } from "../base/index.js";
import type { Config } from "../config/index.js";
import { newestCheckpoint, readCheckpointWeights } from "../weights/index.js";

/**
 * The weights of a checkpoint.
 * @param path its file, or a run's folder of checkpoints, of which it is the newest
 * @throws CHECKPOINT_INVALID
 */
export async function savedWeights(path: string) {
  return readCheckpointWeights(await checkpointFile(path));
}

/** Weights of another model would be found out only while they are loaded. */
export function requireModel({ model }: { model: string }, { trainer }: Config): void {
  if (model === trainer.model_name) return;
  throw new ElenchusError(
    "CHECKPOINT_INVALID",
    `The checkpoint is of the model "${model}", but trainer.model_name is "${trainer.model_name}". Use the configuration of the run that wrote it.`,
  );
}

/** The error of weights that do not load: a model of the same name may have other layers. */
export function otherModel(error: unknown, path: string): unknown {
  if (!(error instanceof ElenchusError) || error.code !== "WEIGHTS_INVALID") return error;
  return new ElenchusError(
    "CHECKPOINT_INVALID",
    `The checkpoint ${path} does not fit the configured model: ${error.message} Use the configuration of the run that wrote it.`,
    { cause: error },
  );
}

async function checkpointFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) {
    const newest = await newestCheckpoint(path);
    if (newest !== null) return newest.path;
  } else if (found !== null) {
    return path;
  }
  throw new ElenchusError(
    "CHECKPOINT_INVALID",
    `There is no checkpoint at ${path}: expected a checkpoint_<round>.safetensors file, or a folder that holds one.`,
    { details: { path } },
  );
}
