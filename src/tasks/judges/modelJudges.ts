import { z } from "zod";
import { ElenchusError, type Logger, parseOptions, silentLogger } from "../../base/index.js";
import {
  AnswerFile,
  EndpointLanguageModel,
  endpointKey,
  type LanguageModel,
  loadLanguageModel,
} from "../../language/index.js";
import type { JudgeModels } from "../../scoring/index.js";
import { judgeOf } from "./judgeOf.js";
import { keptJudge } from "./keptJudge.js";

/** A model that was opened by reference. */
export interface OpenedModel {
  readonly model: LanguageModel;
  readonly release?: (() => Promise<void>) | undefined;
}

/** Opens the model of a reference. @throws CONFIG_INVALID for what is no reference; why it cannot be opened */
export type OpenModel = (reference: unknown, signal: AbortSignal | undefined) => Promise<OpenedModel>;

/** How judges are opened. */
export interface ModelJudgesOptions {
  /** Default: addresses of servers, and folders or hub repositories, by `openModel`. */
  readonly open?: OpenModel;
  /** Where answers are kept from scoring to scoring. Default: nowhere. */
  readonly folder?: string | undefined;
  readonly logger?: Logger;
}

/** Judges by reference, their answers kept in a folder if there is one. */
export function modelJudges(options: ModelJudgesOptions = {}): JudgeModels {
  const { folder, logger = silentLogger, open = (reference) => openModel(reference, { logger }) } = options;
  return {
    async open(reference, signal) {
      const { model, release } = await open(reference, signal);
      const judge = judgeOf(model);
      // Weights in a folder may be others next time, under the same name.
      const lasting = folder !== undefined && model instanceof EndpointLanguageModel;
      const file = lasting ? await AnswerFile.open({ folder, scope: ["judge", reference], logger }) : null;
      const kept = file === null ? judge : keptJudge(judge, file);
      return release === undefined ? kept : { ...kept, release };
    },
  };
}

/** What an address may be given beside the model's name; the key is never part of it. */
const settings = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "expected an address as https://host/v1" }),
  model: z.string().min(1),
  /** Variable of the environment that holds the key. */
  key_variable: z.string().min(1).default("OPENAI_API_KEY"),
  generation: z.enum(["chat", "completions"]).optional(),
  length_field: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  requests_per_minute: z.number().positive().optional(),
  attempts: z.int().positive().optional(),
  /** Milliseconds. */
  first_pause: z.number().min(0).optional(),
  /** Milliseconds. */
  longest_pause: z.number().min(0).optional(),
  /** Milliseconds that one attempt may take. */
  timeout: z.number().positive().optional(),
});

/**
 * Opens `https://host/v1#model` or `{ url, model, ... }` as a server of OpenAI's protocol, anything else as a folder of
 * weights or a repository of the hub.
 * @param environment where a server's key is looked up
 * @throws CONFIG_INVALID; what loading a model throws
 */
export async function openModel(
  reference: unknown,
  {
    logger = silentLogger,
    environment = process.env,
  }: { logger?: Logger; environment?: Readonly<Record<string, string | undefined>> } = {},
): Promise<OpenedModel> {
  if (typeof reference === "object" && reference !== null)
    return { model: endpoint(reference, environment, logger) };
  if (typeof reference !== "string") throw noReference(reference);
  const [url, name] = reference.split("#") as [string, string | undefined];
  if (/^https?:\/\//.test(url)) {
    if (name === undefined || name === "") throw noReference(reference);
    return { model: endpoint({ url, model: name }, environment, logger) };
  }
  const model = await loadLanguageModel(reference, { logger });
  return { model, release: () => model.dispose() };
}

function endpoint(
  given: object,
  environment: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): EndpointLanguageModel {
  const known = parseOptions(settings, given, "model reference");
  return new EndpointLanguageModel(
    {
      url: known.url,
      model: known.model,
      key: endpointKey(environment, known.key_variable),
      generation: known.generation,
      lengthField: known.length_field,
      requestsPerMinute: known.requests_per_minute,
      attempts: known.attempts,
      firstPause: known.first_pause,
      longestPause: known.longest_pause,
      timeout: known.timeout,
    },
    { logger },
  );
}

function noReference(reference: unknown): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    `${JSON.stringify(reference)} names no model. Expected https://host/v1#model, { url, model }, a folder, or a repository of the hub.`,
  );
}
