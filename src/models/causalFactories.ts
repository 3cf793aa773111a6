import { z } from "zod";
import {
  ElenchusError,
  parseOptions,
  type RegisterOptions,
  silentLogger,
  systemClock,
} from "../base/index.js";
import { hubSettings, listFiles, resolveFiles, resolveModelFiles } from "../hub/index.js";
import { openSafetensors } from "../weights/index.js";
import { checkAdaptation } from "./checkAdaptation.js";
import { gptConfig, gptParameters } from "./gptParameters.js";
import { type CausalPlan, type CausalType, causalPlan } from "./huggingFace/causalPlan.js";
import { gpt2Config } from "./huggingFace/gpt2Config.js";
import { LLAMA_CONFIGS } from "./huggingFace/llamaConfig.js";
import { nanochatConfig } from "./huggingFace/nanochatConfig.js";
import { readPlan } from "./huggingFace/planFile.js";
import { drawnValues } from "./initialValues.js";
import type { ModelCheckRequest, ModelFactory, ModelFacts } from "./model.js";

/** The language models, by registered name. Naming one loads no TensorFlow.js, building one does. */
export function causalFactories(): [name: string, factory: ModelFactory, options: RegisterOptions][] {
  const gpt = fromConfig("gpt", ({ parameters }) =>
    gptConfig(parseOptions(gptParameters, parameters, "[parameters.model] of gpt")),
  );
  const family = (type: CausalType) =>
    fromConfig(type, ({ parameters }) => ({ ...parameters, model_type: type }));
  return [
    [
      "gpt",
      Object.assign(gpt, { options: gptParameters }),
      { description: "Small GPT-2 of your own size, for text" },
    ],
    [
      "gpt2",
      Object.assign(family("gpt2"), { options: fromScratch(gpt2Config) }),
      { description: "GPT-2 from scratch, by the fields of its config.json" },
    ],
    ...(["llama", "mistral", "qwen2", "qwen3"] as const).map(
      (type): [string, ModelFactory, RegisterOptions] => [
        type,
        Object.assign(family(type), { options: fromScratch(LLAMA_CONFIGS[type]) }),
        { description: `${TITLES[type]} from scratch, by the fields of its config.json` },
      ],
    ),
    [
      "nanochat",
      Object.assign(family("nanochat"), { options: fromScratch(nanochatConfig) }),
      { description: "nanochat's GPT, by the fields of its model_config" },
    ],
    [
      "huggingface",
      published(),
      {
        description: "The published model that trainer.model_name names: a folder, or a repository of a hub",
      },
    ],
  ];
}

const TITLES = {
  llama: "Llama or SmolLM2",
  mistral: "Mistral",
  qwen2: "Qwen2 or Qwen2.5",
  qwen3: "Qwen3",
} as const;

/** The fields with nothing beside them; the size of the vocabulary may come from the data. */
function fromScratch(fields: z.ZodObject): z.ZodObject {
  const description = "Tokens of the vocabulary; those of the data when absent.";
  return fields.extend({ vocab_size: z.int().positive().optional().meta({ description }) }).strict();
}

/** A model from scratch, by what its `config.json` would be. */
function fromConfig(
  name: string,
  configOf: (request: ModelCheckRequest) => Readonly<Record<string, unknown>>,
): ModelFactory {
  const planOf = (request: ModelCheckRequest): CausalPlan => {
    const config = configOf(request);
    const vocabulary = { vocab_size: config.vocab_size ?? request.classes };
    const plan = causalPlan({ ...config, ...vocabulary }, `[parameters.model] of ${name}`);
    requireRoom(plan, request, ["parameters", "model"]);
    return plan;
  };
  const factory: ModelFactory = async (request) => planOf(request).build(name, drawnValues(request.random));
  return Object.assign(factory, {
    tokens: true,
    check: async (request: ModelCheckRequest) => factsOf(name, planOf(request), request),
  });
}

/** @throws CONFIG_INVALID for adapters and weights to train that it does not have */
function factsOf(name: string, plan: CausalPlan, request: ModelCheckRequest): ModelFacts {
  checkAdaptation(name, plan, request);
  return { name, contextLength: plan.contextLength };
}

/** The model must have an embedding for every token of the data, and places for a whole row. */
function requireRoom(
  { vocabularySize, longestRow }: CausalPlan,
  { classes, inputShape }: ModelCheckRequest,
  path: readonly string[],
): void {
  const published = path[0] === "trainer";
  const [length = 0] = inputShape;
  if (vocabularySize < classes) {
    const [what, mend] = published
      ? [
          "The model's vocabulary",
          "Use the tokenizer that belongs to it: correct trainer.tokenizer_name, or leave it out",
        ]
      : ["parameters.model.vocab_size", "Raise it, or leave it out"];
    throw new ElenchusError(
      "CONFIG_INVALID",
      `${what} = ${vocabularySize}, but the data has ${classes} tokens. ${mend}.`,
      { details: { path } },
    );
  }
  if (length > longestRow) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `The model has positions for ${longestRow} tokens, but rows of the data have up to ${length}. Lower data.max_seq_length to at most ${longestRow}.`,
      { details: { path: ["data", "max_seq_length"] } },
    );
  }
}

/** The published model: `config.json` tells all of it but the weights. */
function published(): ModelFactory {
  const factory: ModelFactory = async (request) => {
    const { name, hub } = sourceOf(request);
    const { folder } = await resolveModelFiles(name, hub);
    const { loadPretrained } = await import("./huggingFace/pretrained.js");
    requireRoom(await readPlan(folder), request, MODEL_NAME);
    return loadPretrained(folder, name.name);
  };
  const check = async (request: ModelCheckRequest) => {
    const { name, hub } = sourceOf(request);
    try {
      const model = { kind: "model", ...name } as const;
      const { folder, source } = await resolveFiles({ ...model, files: ["config.json"] }, hub);
      const plan = await readPlan(folder);
      requireRoom(plan, request, MODEL_NAME);
      requireWeights(name.name, await listFiles(model, hub));
      // What a hub gives is checked when it is fetched, and it need not be here yet.
      if (source === "local") await openSafetensors(folder);
      return factsOf(name.name, plan, request);
    } catch (error) {
      if (!(error instanceof ElenchusError) || error.details.path !== undefined) throw error;
      throw new ElenchusError(error.code, error.message, {
        cause: error,
        details: { ...error.details, path: MODEL_NAME },
      });
    }
  };
  return Object.assign(factory, { tokens: true, check });
}

const MODEL_NAME = ["trainer", "model_name"];

function sourceOf({ modelName, modelRevision, hub }: ModelCheckRequest) {
  if (modelName === undefined) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      'The model "huggingface" is built from trainer.model_name, which is not known here. Name a folder or a repository there.',
    );
  }
  return {
    name: { name: modelName, ...(modelRevision !== undefined && { revision: modelRevision }) },
    hub: hub ?? { settings: hubSettings(process.env), logger: silentLogger, clock: systemClock },
  };
}

function requireWeights(model: string, files: readonly string[]): void {
  if (files.some((file) => /^model\.safetensors(\.index\.json)?$/.test(file))) return;
  const pickled = files.some((file) => file.endsWith(".bin"))
    ? " Its weights are Python pickles, which cannot be read: use a revision with safetensors, or convert them."
    : "";
  throw new ElenchusError(
    "HUB_NOT_FOUND",
    `${model} has no model.safetensors and no model.safetensors.index.json.${pickled || " Expected a folder or a repository with both config.json and weights."}`,
  );
}
