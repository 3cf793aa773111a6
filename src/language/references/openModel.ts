import { ElenchusError, silentLogger, systemClock } from "../../base/index.js";
import { hubSettings } from "../../hub/index.js";
import { loadTokenizer, type Tokenizer } from "../../tokenizers/index.js";
import { EndpointLanguageModel } from "../endpoint/endpointLanguageModel.js";
import { type EndpointSettings, endpointKey } from "../endpoint/endpointSettings.js";
import { loadLanguageModel } from "../loadLanguageModel.js";
import type { EndpointReference, ModelReference } from "./modelReference.js";
import type { ModelSurroundings } from "./modelSurroundings.js";
import type { OpenedModel } from "./openedModel.js";
import { resolveTokenizerFiles } from "./tokenizerFiles.js";

/**
 * Opens the model that a reference names. Nothing is asked of a server yet.
 * @throws CAPABILITY_MISSING for `self` where there is none, and for the checkpoint of a model that reads no text;
 *   RUN_NOT_FOUND, CHECKPOINT_INVALID; as `loadLanguageModel`
 */
export async function openModel(
  reference: ModelReference,
  surroundings: ModelSurroundings = {},
): Promise<OpenedModel> {
  await surroundings.admit?.(reference);
  if ("self" in reference) return ownModel(surroundings);
  if ("url" in reference) return await openEndpoint(reference, surroundings);
  if ("run" in reference) {
    const { openRunModel } = await import("./runModel.js");
    return await openRunModel(reference, surroundings);
  }
  const { backend, engine, threads, hub, logger } = surroundings;
  const model = await loadLanguageModel(reference.pretrained, {
    revision: reference.revision,
    ...(backend !== undefined && { backend }),
    engine,
    threads,
    hub,
    logger,
  });
  const { revision } = reference;
  return {
    name: `${reference.pretrained}${revision === undefined ? "" : `@${revision}`}`,
    model,
    tokenizer: model.tokenizer,
    tokenizerFolder: model.tokenizerFolder,
    release: () => model.dispose(),
  };
}

/** How a reference is named in messages and results. */
export function referenceName(reference: ModelReference): string {
  if ("self" in reference) return "self";
  if ("url" in reference) return `${reference.url}#${reference.model}`;
  if ("pretrained" in reference) return reference.pretrained;
  return reference.round === undefined ? reference.run : `${reference.run}@${reference.round}`;
}

function ownModel({ self }: ModelSurroundings): OpenedModel {
  if (self !== undefined) return { ...self, release: async () => {} };
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    'The model "self" is the one that is being evaluated, and there is none here. Name a server, a folder or a run.',
  );
}

async function openEndpoint(
  reference: EndpointReference,
  surroundings: ModelSurroundings,
): Promise<OpenedModel> {
  const { clock = systemClock, logger = silentLogger } = surroundings;
  const { url, model, concurrency = 4 } = reference;
  const tokenizer = reference.tokenizer && (await tokenizerOf(reference.tokenizer, surroundings));
  const settings: EndpointSettings = {
    url,
    model,
    key: (surroundings.keyFor ?? usualKey(surroundings))(reference),
    tokenizer: tokenizer || undefined,
    contextLength: reference.context_length,
    generation: reference.generation,
    extensions: reference.extensions,
    lengthField: reference.length_field,
    concurrency,
    requestsPerMinute: reference.requests_per_minute,
    attempts: reference.attempts,
    firstPause: reference.first_pause,
    longestPause: reference.longest_pause,
    timeout: reference.timeout,
    lookup: surroundings.lookup,
  };
  const opened = new EndpointLanguageModel(settings, { clock, logger });
  return {
    name: referenceName(reference),
    model: opened,
    tokenizer: settings.tokenizer,
    concurrency,
    post: (path, body, signal) => opened.post(path, body, signal),
    release: async () => {},
  };
}

function usualKey({ environment = process.env }: ModelSurroundings) {
  return ({ url, key_variable: variable }: EndpointReference): string | undefined => {
    if (variable !== undefined) return requiredKey(environment, variable);
    // A key of one server must not go to another.
    return new URL(url).hostname === "api.openai.com" ? endpointKey(environment) : undefined;
  };
}

function requiredKey(environment: Readonly<Record<string, string | undefined>>, variable: string): string {
  const key = endpointKey(environment, variable);
  if (key !== undefined) return key;
  throw new ElenchusError(
    "CONFIG_INVALID",
    `key_variable names the variable ${variable}, which is not set. Set it to the key of the server, or leave key_variable out.`,
  );
}

async function tokenizerOf(
  name: string,
  { hub, logger = silentLogger, clock = systemClock, environment = process.env }: ModelSurroundings,
): Promise<Tokenizer> {
  const files = hub ?? { settings: hubSettings(environment), logger, clock };
  return await loadTokenizer(await resolveTokenizerFiles(name, files));
}
