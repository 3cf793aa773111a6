import { copyFile, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ElenchusError, type Logger, makeFolder, messageOf, systemClock } from "../base/index.js";
import type { Config } from "../config/index.js";
import { recordedModel } from "../language/index.js";
import { isCausalModel } from "../models/index.js";
import type { VariableCausalModel } from "../models/kit.js";
import type { Weights } from "../weights/index.js";
import type { DataShape } from "./preparedRun.js";

/** A saved model and where to write it. */
export interface ExportRequest {
  readonly config: Config;
  readonly data: DataShape;
  readonly weights: Weights;
  /** Is made where it is missing. */
  readonly folder: string;
  readonly logger: Logger;
}

/**
 * Writes a language model as Hugging Face's libraries load it: `config.json`, `model.safetensors` in 32-bit floats and
 * the tokenizer's files. Adapters are merged into their layers. Of a nanochat the log says that only Elenchus loads it.
 * @returns the names of the files
 * @throws CAPABILITY_MISSING for another kind of model, CHECKPOINT_INVALID where the weights are not the model's,
 *   PATH_UNWRITABLE
 */
export async function exportModel(request: ExportRequest): Promise<readonly string[]> {
  const { config, data, weights, folder, logger } = request;
  const { trainer } = config;
  for (const source of [trainer.model_name, data.tokenizerFolder]) await requireAnother(folder, source);
  const { inputShape, classes } = data;
  const model = await recordedModel({ config, inputShape, classes, logger, clock: systemClock });
  try {
    if (!isCausalModel(model)) {
      throw new ElenchusError(
        "CAPABILITY_MISSING",
        `The model "${trainer.model_name}" is no language model, and only those have a form that others load. Its checkpoint is a safetensors file as it stands.`,
      );
    }
    loadInto(model, weights);
    await makeFolder(folder).catch((error: unknown) => {
      throw unwritable(folder, error);
    });
    const { savePretrained } = await import("../models/kit.js");
    await savePretrained(model, folder);
    if ((model as VariableCausalModel).config.model_type === "nanochat") logger.warn(ONLY_HERE);
    return ["config.json", "model.safetensors", ...(await copyTokenizer(data.tokenizerFolder, folder))];
  } finally {
    model.dispose();
  }
}

const ONLY_HERE =
  "What transformers calls nanochat is an older network with other weights: it does not load this folder. Elenchus does.";

/** Written over what it was made from, a model would take the base from every checkpoint that needs it. */
async function requireAnother(folder: string, source: string | undefined): Promise<void> {
  const place = await realpath(folder).catch(() => undefined);
  if (source === undefined || place === undefined) return;
  if (place !== (await realpath(source).catch(() => undefined))) return;
  throw new ElenchusError(
    "PATH_UNWRITABLE",
    `${folder} holds the model or the tokenizer that the run began with, which its checkpoints need. Give another folder with --output.`,
  );
}

function loadInto(model: { loadWeights(weights: Weights): void }, weights: Weights): void {
  try {
    model.loadWeights(weights);
  } catch (error) {
    throw new ElenchusError(
      "CHECKPOINT_INVALID",
      `The checkpoint does not fit the configured model: ${messageOf(error)} Use the configuration of the run that wrote it.`,
      { cause: error },
    );
  }
}

/** What a tokenizer's folder holds beside it, weights among them, stays there. */
const TOKENIZER_FILE =
  /^(tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|chat_template\.jinja|.*\.tiktoken)$/;

async function copyTokenizer(from: string | undefined, to: string): Promise<string[]> {
  if (from === undefined) return [];
  const names = (await readdir(from)).filter((name) => TOKENIZER_FILE.test(name)).sort();
  for (const name of names) await copyFile(join(from, name), join(to, name));
  return names;
}

function unwritable(folder: string, error: unknown): ElenchusError {
  return new ElenchusError(
    "PATH_UNWRITABLE",
    `${folder} cannot be written: ${messageOf(error)}. Give another folder with --output.`,
    { cause: error },
  );
}
