import { ElenchusError } from "../../base/index.js";
import type { AutoevalsEntry } from "./autoevalsCatalogue.js";
import type { AutoevalsParams } from "./autoevalsParams.js";
import type { AutoevalsFunction, AutoevalsPackage } from "./autoevalsScore.js";
import { type ModelClient, withoutEscapes } from "./modelClient.js";

/** What a call asks, and whom. */
export interface Calling {
  readonly params: AutoevalsParams;
  /** There for a scorer that asks. */
  readonly client?: ModelClient;
  /** Name of the model that judges. */
  readonly model?: string | undefined;
}

/**
 * The package's scorer with client, models and settings of the call in place.
 * @throws CONFIG_INVALID for arguments that make no classifier
 */
export function boundFunction(
  entry: AutoevalsEntry,
  loaded: AutoevalsPackage,
  calling: Calling,
): AutoevalsFunction {
  const { params } = calling;
  const scorer = entry.factory ? classifier(entry.name, loaded, params) : exported(loaded, entry.name);
  const own = {
    ...present({ temperature: params.temperature, maxTokens: params.max_tokens, useCoT: params.use_cot }),
    ...asking(entry, loaded, calling),
  };
  // What a call settles cannot be changed by a row, least of all whom to ask.
  return (given) => scorer({ ...given, ...own });
}

/** The arguments that say whom to ask. */
function asking(
  { name, asks }: AutoevalsEntry,
  loaded: AutoevalsPackage,
  { params, client, model }: Calling,
): object {
  const embedding = params.embedding_model;
  if (asks === undefined) return {};
  if (asks === "moderation") return { client };
  if (asks === "embeddings") return present({ client, model: embedding });
  if (asks === "judge") {
    const tools = name === "OpenAIClassifier" ? classifierTools(loaded, params) : {};
    return present({ client, model, ...tools });
  }
  // Given no scorers of their own, two of them would embed with a client that is not the call's.
  const similarity =
    (of: string): AutoevalsFunction =>
    ({ output, expected }) =>
      exported(loaded, of)({ output, expected, ...present({ client, model: embedding }) });
  return present({
    client: withoutEscapes(client!),
    model,
    embeddingModel: embedding,
    answerSimilarity: name === "AnswerCorrectness" ? similarity("AnswerSimilarity") : undefined,
    pairwiseScorer: name === "ContextEntityRecall" ? similarity("EmbeddingSimilarity") : undefined,
  });
}

function classifier(
  name: string,
  loaded: AutoevalsPackage,
  { arguments: given }: AutoevalsParams,
): AutoevalsFunction {
  const make = loaded[name] as (...given: unknown[]) => AutoevalsFunction;
  if (name === "LLMClassifierFromTemplate") {
    return make({ name: "classifier", ...required(name, given, ["promptTemplate", "choiceScores"]) });
  }
  const key = name === "LLMClassifierFromSpec" ? "spec" : "templateName";
  return make("classifier", required(name, given, [key])[key]);
}

function classifierTools(
  loaded: AutoevalsPackage,
  { arguments: given, use_cot: useCoT = true }: AutoevalsParams,
) {
  const { choiceScores } = required("OpenAIClassifier", given, ["messages", "choiceScores"]);
  const build = loaded.buildClassificationTools as (useCoT: boolean, choices: string[]) => unknown;
  return { name: "classifier", classificationTools: build(useCoT, Object.keys(choiceScores as object)) };
}

/** @throws CONFIG_INVALID for arguments that are missing */
function required(
  name: string,
  given: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> {
  const missing = keys.filter((key) => given[key] === undefined);
  if (missing.length === 0) return Object.fromEntries(keys.map((key) => [key, given[key]]));
  throw new ElenchusError(
    "CONFIG_INVALID",
    `params of the scorer autoevals::${name}: arguments lack ${missing.join(", ")}. Expected ${keys.join(" and ")}.`,
  );
}

function exported(loaded: AutoevalsPackage, name: string): AutoevalsFunction {
  return loaded[name] as AutoevalsFunction;
}

/** Without what is undefined. */
function present(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
