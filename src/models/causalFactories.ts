import { z } from "zod";
import {
  ElenchusError,
  parseOptions,
  type RegisterOptions,
  silentLogger,
  systemClock,
} from "../base/index.js";
import { hubSettings, resolveModelFiles } from "../hub/index.js";
import { gptConfig, gptParameters } from "./gptParameters.js";
import { type CausalType, causalPlan } from "./huggingFace/causalPlan.js";
import { gpt2Config } from "./huggingFace/gpt2Config.js";
import { LLAMA_CONFIGS } from "./huggingFace/llamaConfig.js";
import { nanochatConfig } from "./huggingFace/nanochatConfig.js";
import { drawnValues } from "./initialValues.js";
import type { ModelFactory, ModelRequest } from "./model.js";

/** The language models, by registered name. Naming one loads no TensorFlow.js, building one does. */
export function causalFactories(): [name: string, factory: ModelFactory, options: RegisterOptions][] {
  const gpt = (request: ModelRequest) => {
    const parameters = parseOptions(gptParameters, request.parameters, "[parameters.model] of gpt");
    return build("gpt", gptConfig(parameters), request);
  };
  const family = (type: CausalType) => (request: ModelRequest) =>
    build(type, { ...request.parameters, model_type: type }, request);
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
      pretrained,
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

async function build(
  name: string,
  config: Readonly<Record<string, unknown>>,
  { classes, random }: ModelRequest,
) {
  const plan = causalPlan(
    { ...config, vocab_size: config.vocab_size ?? classes },
    `[parameters.model] of ${name}`,
  );
  if (plan.vocabularySize < classes) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `parameters.model.vocab_size = ${plan.vocabularySize}, but the data has ${classes} tokens. Raise it, or leave it out.`,
    );
  }
  return plan.build(name, drawnValues(random));
}

const pretrained: ModelFactory = async ({ modelName, modelRevision, hub }) => {
  if (modelName === undefined) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      'The model "huggingface" is built from trainer.model_name, which is not known here. Name a folder or a repository there.',
    );
  }
  const { folder } = await resolveModelFiles(
    { name: modelName, ...(modelRevision !== undefined && { revision: modelRevision }) },
    hub ?? { settings: hubSettings(process.env), logger: silentLogger, clock: systemClock },
  );
  return (await import("./huggingFace/pretrained.js")).loadPretrained(folder, modelName);
};
