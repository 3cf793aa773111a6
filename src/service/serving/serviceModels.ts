import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ElenchusError, isLoopback, type Logger } from "../../base/index.js";
import type { ServiceSettings } from "../../config/index.js";
import {
  type ModelReference,
  type ModelSurroundings,
  openModel,
  openRunTokenizer,
  type PretrainedReference,
  parseModelReference,
  type RunReference,
  referenceName,
} from "../../language/index.js";
import { type HostAddress, publicAddress, type Resolver } from "../../tasks/index.js";
import { loadTokenizer, type Tokenizer } from "../../tokenizers/index.js";
import { listCheckpoints } from "../../weights/index.js";
import { RecordReader } from "../runs/recordReader.js";
import { abortable } from "./abortable.js";
import { insideFolder } from "./insideFolder.js";
import { type FoundModel, ModelPool, type NamedModel, type OpenedModel } from "./modelPool.js";
import { ModelProcess, type ModelProcessOptions } from "./modelProcess.js";

/** What finding and opening models may use. */
export interface ServiceModelsOptions {
  readonly settings: ServiceSettings;
  readonly logger: Logger;
  /** Default: as the environment says. */
  readonly surroundings?: Pick<ModelSurroundings, "environment" | "hub" | "engine" | "backend" | "threads">;
  /** Finds addresses of hosts that requests name. Default: the system's. */
  readonly resolver?: Resolver;
}

/**
 * The models of the service. Those that the configuration names may be anything. A request may name others by
 * reference: a run of this service, a folder below its data, a repository of the hub, a server, which is then asked
 * without any key.
 */
export function serviceModels({
  settings,
  logger,
  surroundings = {},
  resolver,
}: ServiceModelsOptions): ModelPool {
  const reader = new RecordReader(settings.paths.results);
  const named = new Map(
    settings.service.models.map(({ name, reference }) => [name, parseModelReference(reference)] as const),
  );
  const around: ModelSurroundings = { ...surroundings, results: settings.paths.results, logger };

  const lookup = (host: string) =>
    publicAddress(host, {
      allowPrivate: allowsPrivate(settings),
      mend: "Name a model at a public address, or one that service.models lists",
      ...(resolver && { resolver }),
    });

  const find = async (name: unknown): Promise<FoundModel> => {
    const own = typeof name === "string" ? named.get(name) : undefined;
    const reference = own ?? (await admitted(parseModelReference(name), { settings, reader, lookup }));
    const settled = await withRound(reference, settings, reader);
    // A name that a request gives is looked up again for each connection, and may mean another machine by then.
    const strangers = {
      keyFor: () => undefined,
      lookup,
    };
    const keys = own === undefined ? strangers : {};
    return {
      key: `${own === undefined ? "" : "named "}${JSON.stringify(settled)}`,
      open: async (signal) =>
        "url" in settled || "self" in settled
          ? { ...(await abortable(openModel(settled, { ...around, ...keys }), signal)), local: false }
          : await openInProcess(settled, { ...around, logger, results: settings.paths.results }, signal),
    };
  };
  const list = async (): Promise<NamedModel[]> => {
    const known = [...named].map(([name, reference]) => ({ name, reference: referenceName(reference) }));
    return [...known, ...(await runsWithCheckpoints(settings, reader))];
  };
  return new ModelPool({ find, list, kept: settings.service.models_loaded, logger });
}

/** A model of this machine, in a process of its own: computing would hold up all that the service does. */
async function openInProcess(
  reference: PretrainedReference | RunReference,
  surroundings: ModelSurroundings & Pick<ModelProcessOptions, "logger" | "results">,
  signal: AbortSignal,
): Promise<OpenedModel> {
  const process = new ModelProcess({ ...surroundings, reference });
  const stop = () => void process.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { name, contextLength, tokenizerFolder } = await process.open();
    const tokenizer = await tokenizerOf(reference, tokenizerFolder, surroundings);
    return {
      ...{ name, tokenizer, local: true, completions: process.completions },
      model: process.languageModel({ name, contextLength, tokenizer }),
      release: () => process.close(),
    };
  } catch (error) {
    await process.close();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The tokenizer a second time: tasks look at it while they put questions. */
async function tokenizerOf(
  reference: PretrainedReference | RunReference,
  folder: string | undefined,
  surroundings: ModelSurroundings,
): Promise<Tokenizer | undefined> {
  if (folder !== undefined) return await loadTokenizer(folder);
  return "run" in reference ? await openRunTokenizer(reference, surroundings) : undefined;
}

/** Whether requests may reach machines of a private network: as configured, else while the service is private itself. */
export function allowsPrivate({ service }: ServiceSettings): boolean {
  return service.allow_private_addresses ?? isLoopback(service.address);
}

/** What decides whether a reference may be used. */
interface Admission {
  readonly settings: ServiceSettings;
  readonly reader: RecordReader;
  readonly lookup: (host: string) => Promise<HostAddress>;
}

/**
 * A reference that a request may use, with paths in full.
 * @throws PERMISSION_DENIED for one that it may not; ADDRESS_REFUSED for a private address; RUN_NOT_FOUND
 */
async function admitted(
  reference: ModelReference,
  { settings, reader, lookup }: Admission,
): Promise<ModelReference> {
  if ("run" in reference) {
    await reader.read(reference.run);
    return reference;
  }
  if ("url" in reference) {
    if (reference.key_variable !== undefined) {
      throw refused("a request cannot choose a key. List the model in service.models, with its key_variable");
    }
    const { tokenizer } = reference;
    await lookup(new URL(reference.url).hostname);
    return tokenizer === undefined
      ? reference
      : { ...reference, tokenizer: await filesOf(tokenizer, settings) };
  }
  if ("pretrained" in reference) {
    return { ...reference, pretrained: await filesOf(reference.pretrained, settings) };
  }
  return reference;
}

/** A folder below the data, in full, or the name of a repository. */
async function filesOf(name: string, { paths }: ServiceSettings): Promise<string> {
  const path = resolve(paths.data, name);
  if (await isFolder(path)) {
    const real = await insideFolder(path, paths.data);
    if (real !== undefined) return real;
  }
  // A folder of that name where the process stands would come before the hub.
  const repository = /^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/.test(name) && !(await isFolder(resolve(name)));
  if (repository) return name;
  throw refused(
    `${JSON.stringify(name.slice(0, 200))} is no folder in the service's data and no repository. Put it below service.data_path, or list it in service.models`,
  );
}

/** The newest checkpoint of a run that goes on is another one later: it is settled when it is asked for. */
async function withRound(
  reference: ModelReference,
  { paths }: ServiceSettings,
  reader: RecordReader,
): Promise<ModelReference> {
  if (!("run" in reference) || reference.round !== undefined) return reference;
  const { runId } = (await reader.read(reference.run)).run;
  const newest = (await listCheckpoints(resolve(paths.checkpoints, runId))).at(-1);
  return newest === undefined ? reference : { ...reference, round: newest.round };
}

async function runsWithCheckpoints({ paths }: ServiceSettings, reader: RecordReader): Promise<NamedModel[]> {
  const found: NamedModel[] = [];
  for (const runId of await reader.ids()) {
    for (const { round } of await listCheckpoints(resolve(paths.checkpoints, runId))) {
      found.push({ name: `${runId}@${round}`, reference: `run:${runId}@${round}` });
    }
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function refused(why: string): ElenchusError {
  return new ElenchusError("PERMISSION_DENIED", `The model may not be opened: ${why}.`, {
    details: { param: "model" },
  });
}
