import { basename, extname } from "node:path";
import { type Algorithm, algorithms } from "../algorithms/index.js";
import { type Clock, ElenchusError, type Logger, loadModules, systemClock } from "../base/index.js";
import {
  type CheckOptions,
  type Config,
  checkData,
  type LoadedConfig,
  loadConfigObject,
  pathsOf,
  type RunPaths,
  readConfigFile,
  renderIssue,
  type Written,
} from "../config/index.js";
import { checkPartitions, type Datasource, loadDatasource } from "../data/index.js";
import { evaluationTables, prepareEvaluators } from "../evaluators/index.js";
import { type HubEnvironment, hubSettings } from "../hub/index.js";
import { checkModel, type ModelCheckRequest, type ModelFacts } from "../models/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import { createTrainerHost, type TrainerHost, trainerEvaluations } from "../trainers/index.js";
import { buildCatalog } from "./catalog.js";
import { type FaultPath, faultLine, located } from "./faults.js";
import type { RunRequest } from "./runRequest.js";

/** A configuration that has passed every check that is possible before anything is started. */
export interface PreparedConfig {
  readonly config: Config;
  /** Name of the configuration: its file's name without extension, "run" for an object. */
  readonly name: string;
  readonly paths: RunPaths;
  readonly data: DataShape;
  /** What is known of the model before it is built. */
  readonly model: ModelFacts | undefined;
  /** Where its keys are written, for faults that are found later. */
  readonly written: Written;
}

/** What of the data a model is built from. */
export interface DataShape {
  readonly inputShape: readonly number[];
  readonly classes: number;
  /** Of text: where its tokenizer's files are; undefined where it has none. */
  readonly tokenizerFolder: string | undefined;
  readonly tokenizer: Tokenizer | undefined;
}

/** What loading a configuration takes. */
export type ConfigRequest = Pick<
  RunRequest,
  "config" | "load" | "base" | "set" | "seed" | "lenient" | "resolved"
>;

/**
 * Loads the user's modules, reads and checks the configuration and the data it names.
 * @throws IMPORT_FAILED, CONFIG_UNREADABLE, CONFIG_INVALID, DATA_INVALID
 */
export async function prepareConfig(request: ConfigRequest, logger: Logger): Promise<PreparedConfig> {
  await loadModules(request.load);
  const { config, warnings, written } = load(request);
  for (const warning of warnings) {
    if (request.resolved !== true || warning.code !== "CONFIG_NO_EFFECT") logger.warn(renderIssue(warning));
  }
  const paths = pathsOf(config);
  const hub = { settings: hubSettings(process.env), logger, clock: systemClock };
  const at = placing(written);
  const datasource = await at(["data", "datasource"], () =>
    loadDatasource(config.data, paths.data, { ...config, hub }),
  );
  requireSizes(config, datasource, written);
  await at(["data", "sampler"], () => checkPartitions(config, datasource));
  const model = await at(["trainer", "model_name"], () => checkNamedModel(config, datasource, { hub }));
  const name = typeof request.config === "string" ? basename(request.config, extname(request.config)) : "run";
  const { trainset, tokenizerFolder, tokenizer } = datasource;
  const data = { inputShape: trainset.inputShape, classes: trainset.classes, tokenizerFolder, tokenizer };
  return { config, name, paths, data, model, written };
}

/** Does something for a key of the configuration; what goes wrong is said with its place. */
export function placing(written: Written) {
  return async <T>(key: FaultPath, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw located(error, written, key);
    }
  };
}

/** @throws DATA_INVALID or CONFIG_INVALID, as `check` lists what does not fit the rows that there are */
function requireSizes(config: Config, { trainset, testset }: Datasource, written: Written): void {
  const facts = { trainRows: trainset.length, testRows: testset.length, classes: trainset.classes };
  const errors = checkData(config, buildCatalog(), facts, written);
  if (errors.length === 0) return;
  const code = errors.every((one) => one.code === "DATA_INVALID") ? "DATA_INVALID" : "CONFIG_INVALID";
  throw new ElenchusError(code, errors.map(faultLine).join("\n"), { details: { errors } });
}

/**
 * Looks for what would keep every process of a run from building the model.
 * @returns what is known of it by then
 * @throws as `checkModel`
 */
export function checkNamedModel(
  { trainer, parameters }: Config,
  { trainset }: Datasource,
  { hub, mayBuild }: Pick<ModelCheckRequest, "mayBuild"> & { readonly hub: HubEnvironment },
): Promise<ModelFacts | undefined> {
  return checkModel(trainer, {
    inputShape: trainset.inputShape,
    classes: trainset.classes,
    parameters: parameters.model,
    lora: parameters.lora,
    hub,
    mayBuild,
  });
}

function load({ config, base, set, seed, lenient }: ConfigRequest): LoadedConfig {
  const options: CheckOptions = {
    ...(base !== undefined && { base }),
    ...(set !== undefined && { set }),
    ...(seed !== undefined && { seed }),
    ...(lenient !== undefined && { lenient }),
  };
  const catalog = buildCatalog();
  return typeof config === "string"
    ? readConfigFile(config, catalog, options)
    : loadConfigObject(config, catalog, options);
}

/** The algorithm of a configuration: the server half of `server.type` where it differs. */
export async function algorithmOf(config: Config): Promise<Algorithm> {
  const own = await algorithms.lookup(config.algorithm.type)(config.algorithm, config);
  const { type } = config.server;
  if (type === undefined || type === config.algorithm.type) return own;
  return { ...own, server: (await algorithms.lookup(type)(config.algorithm, config)).server };
}

/**
 * Has the evaluators look for what they need, starts the worker in which the server tests and asks what it has at hand.
 * @throws EVALUATION_CONFIG; EVALUATOR_NOT_IN_WORKER for a type that only this process knows
 */
export async function startTestingHost(
  { config, data, model, written }: PreparedConfig,
  imports: readonly string[],
  logger: Logger,
  clock: Clock,
): Promise<{ host: TrainerHost; backend: string }> {
  const hub = { settings: hubSettings(process.env), logger, clock };
  await placing(written)(["evaluation"], () =>
    prepareEvaluators({
      config,
      tokenizer: data.tokenizer,
      model,
      hub,
      declared: trainerEvaluations(config),
    }),
  );
  const host = await createTrainerHost({ config, imports, role: "server", where: "worker", logger, clock });
  try {
    const { backend, evaluators } = await host.describe();
    for (const { type } of evaluationTables(config)) {
      if (!evaluators.includes(type)) throw notInWorker(type, imports);
    }
    return { host, backend };
  } catch (error) {
    await host.close();
    throw error;
  }
}

function notInWorker(type: string, imports: readonly string[]): ElenchusError {
  const loaded = imports.length > 0 ? imports.join(", ") : "none";
  return new ElenchusError(
    "EVALUATOR_NOT_IN_WORKER",
    `The evaluator "${type}" is registered in this process but not in the worker that evaluates. Modules loaded there (\`imports\`): ${loaded}. Register it in a module of its own and name that module with --import, or with run(config, { imports: [...] }).`,
    { details: { type, imports } },
  );
}
