import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { ElenchusError, messageOf, silentLogger, systemClock } from "../../base/index.js";
import { type Config, pathsOf } from "../../config/index.js";
import { loadDatasource } from "../../data/index.js";
import { hubSettings } from "../../hub/index.js";
import { isCausalModel } from "../../models/index.js";
import { type CheckpointFile, listCheckpoints, readCheckpointWeights } from "../../weights/index.js";
import { languageModelOf } from "../languageModelOf.js";
import { LocalLanguageModel } from "../loadLanguageModel.js";
import type { RunReference } from "./modelReference.js";
import type { ModelSurroundings } from "./modelSurroundings.js";
import type { OpenedModel } from "./openedModel.js";
import { recordedModel } from "./recordedModel.js";

/**
 * Opens the model of a run's checkpoint: the network of its configuration with the weights of that round, adapters
 * included, and the tokenizer of its data. Nothing is written.
 * @throws RUN_NOT_FOUND; RECORD_CORRUPT; CHECKPOINT_INVALID for a round that was not kept; CAPABILITY_MISSING for a model
 *   that is no language model, or data without a tokenizer
 */
export async function openRunModel(
  reference: RunReference,
  surroundings: ModelSurroundings,
): Promise<OpenedModel> {
  const { logger = silentLogger, clock = systemClock, engine, threads } = surroundings;
  const hub = surroundings.hub ?? { settings: hubSettings(process.env), logger, clock };
  const { runId, config, checkpoint } = await findCheckpoint(reference, surroundings);
  const { weights, round } = await readCheckpointWeights(checkpoint.path);
  const data = await loadDatasource(config.data, pathsOf(config).data, { ...config, hub });
  const { trainset, tokenizer, tokenizerFolder } = data;
  if (tokenizer === undefined) throw noLanguage(runId, "its data has no tokenizer");
  const { inputShape, classes } = trainset;
  const model = await recordedModel({ config, inputShape, classes, logger, clock, hub });
  try {
    if (!isCausalModel(model)) throw noLanguage(runId, `"${config.trainer.model_name}" reads no text`);
    model.loadWeights(weights);
    const language = await languageModelOf(model, tokenizer, {
      engine: engine ?? config.trainer.language_engine,
      threads: threads ?? config.trainer.language_threads,
      logger,
    });
    const opened = new LocalLanguageModel(model, language);
    return {
      ...{ name: `${runId}@${round}`, model: opened, tokenizer, tokenizerFolder },
      release: () => opened.dispose(),
    };
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** A checkpoint and the run it is of. */
export interface FoundCheckpoint {
  readonly runId: string;
  readonly config: Config;
  readonly checkpoint: CheckpointFile;
}

/**
 * The checkpoint that a reference means now: of a run that goes on, the newest may be another later.
 * @throws as `openRunModel`
 */
export async function findCheckpoint(
  { run, round }: RunReference,
  { results = resolve("runtime", "results") }: ModelSurroundings,
): Promise<FoundCheckpoint> {
  const { runId, folder, config } = await findManifest(run, results);
  const places = [
    join(pathsOf(config).checkpoints, runId),
    // A run may have been moved with its base folder.
    join(dirname(folder), basename(pathsOf(config).checkpoints), runId),
    // Models that were handed to a service before their round's checkpoint was written.
    join(folder, runId, "pending"),
  ];
  const kept: CheckpointFile[] = [];
  for (const place of places) kept.push(...(await listCheckpoints(place)));
  kept.sort((one, other) => one.round - other.round);
  const checkpoint = round === undefined ? kept.at(-1) : kept.find((one) => one.round === round);
  if (checkpoint === undefined) throw notKept(runId, round, kept);
  return { runId, config, checkpoint };
}

async function findManifest(run: string, results: string) {
  const file = resolve(run);
  const places = [
    { folder: results, runId: run },
    { folder: dirname(file), runId: basename(file).replace(/(_accuracy)?\.csv$/, "") },
  ];
  for (const { folder, runId } of places) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(runId)) continue;
    const path = join(folder, runId, "run.json");
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) return { runId, folder, config: configIn(text, path) };
  }
  throw new ElenchusError(
    "RUN_NOT_FOUND",
    `There is no run "${run}": no such id in ${results}, and no such folder or CSV with a run.json.`,
  );
}

/** What is read of it here; all of it has passed every check when the run began. */
const manifestSchema = z.object({
  config: z.looseObject({
    general: z.looseObject({ base_path: z.string() }),
    server: z.looseObject({ model_path: z.string(), checkpoint_path: z.string() }),
    data: z.looseObject({ datasource: z.string(), data_path: z.string() }),
    results: z.looseObject({}),
    parameters: z.looseObject({}),
    trainer: z.looseObject({
      model_name: z.string(),
      backend: z.enum(["auto", "node-gpu", "node", "wasm", "cpu"]),
      language_engine: z.enum(["auto", "onnx", "tensorflow"]).default("auto"),
      language_threads: z.int().positive().default(1),
      random_seed: z.int(),
    }),
  }),
});

function configIn(text: string, path: string): Config {
  try {
    return manifestSchema.parse(JSON.parse(text)).config as unknown as Config;
  } catch (error) {
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `${path} is not the manifest of a run: ${messageOf(error)}. Restore it from a copy.`,
      { cause: error, details: { file: path } },
    );
  }
}

function notKept(runId: string, round: number | undefined, kept: readonly CheckpointFile[]): ElenchusError {
  const which = round === undefined ? "no checkpoint" : `no checkpoint of round ${round}`;
  const there =
    kept.length === 0
      ? ""
      : ` There are those of rounds ${[...new Set(kept.map((one) => one.round))].join(", ")}.`;
  return new ElenchusError(
    "CHECKPOINT_INVALID",
    `The run ${runId} has ${which}.${there} server.keep_checkpoints says how many are kept.`,
    { details: { run: runId, round: round ?? null } },
  );
}

function noLanguage(runId: string, why: string): ElenchusError {
  return new ElenchusError(
    "CAPABILITY_MISSING",
    `The run ${runId} has no language model to ask: ${why}. Expected a run whose trainer is gpt, HuggingFace or nanochat.`,
  );
}
