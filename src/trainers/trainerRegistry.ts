import { z } from "zod";
import { onePerProcess, sharedRegistry } from "../base/index.js";
import type { CatalogEntry, Config, EntryFault } from "../config/index.js";
import { declaredEvaluations } from "../evaluators/index.js";
import { BasicTrainer } from "./basicTrainer.js";
import { ComposableTrainer } from "./composableTrainer.js";
import { LanguageTrainer } from "./languageTrainer.js";
import type { Trainer, TrainerFactory, TrainerRequest } from "./trainer.js";

/** Those of which is known that they declare nothing. */
const builtIn = onePerProcess("built-in trainers", () => new WeakSet<TrainerFactory>());

/** The trainers by the name that `trainer.type` gives. */
export const trainers = sharedRegistry<TrainerFactory>("trainer", (registry) => {
  const basic: TrainerFactory = (request) => new BasicTrainer(request);
  const composable: TrainerFactory = (request) => new ComposableTrainer(request);
  registry.register("basic", Object.assign(basic, { tokens: false }), {
    description: "Every strategy as the configuration says",
  });
  registry.register("composable", Object.assign(composable, { tokens: false }), {
    description: "The same, and the class to extend: each of its seven strategies can be replaced from code",
  });
  registry.register("gpt", languageTrainer(), {
    description: "Language models: loss over tokens, tested by perplexity",
  });
  const options = z.object({
    model_type: z.string().min(1).default("huggingface").meta({
      description: "Kind of model to build; `huggingface`, a published one, when absent.",
    }),
  });
  registry.register("HuggingFace", languageTrainer(options), {
    description: "The same for the published model that trainer.model_name names",
  });
  const nanochat = z.object({
    tokenizer_name: z.string().min(1).default("nanochat").meta({
      description: "What makes tokens of text; `nanochat`, learnt from the training text, when absent.",
    }),
  });
  registry.register("nanochat", languageTrainer(nanochat), {
    description: "The same with nanochat's tokenizer; see the optimizer Muon and the schedule nanochat",
  });
  for (const name of registry.registeredNames()) builtIn.add(registry.lookup(name));
});

/** A trainer that works on tokens, as the registry has it. */
export function languageTrainer(
  options?: z.ZodType,
  make: TrainerFactory = (request: TrainerRequest) => new LanguageTrainer(request),
): TrainerFactory {
  const factory: TrainerFactory = (request) => make(request);
  const metrics = { perplexity: { higherIsBetter: false } };
  return Object.assign(factory, {
    tokens: true,
    metrics,
    check: checkLanguage,
    ...(options && { options }),
  });
}

/** The registered trainers for the configuration's catalog. */
export function trainerCatalog(): CatalogEntry[] {
  return trainers.list().map((entry) => {
    const { options, tokens, metrics, check } = trainers.lookup(entry.name);
    return {
      ...entry,
      ...(options && { options }),
      ...(tokens !== undefined && { tokens }),
      ...(metrics && { metrics }),
      ...(check && { check }),
      evaluations: (config: Config) => {
        const declared = declaredBy(trainers.lookup(entry.name), config);
        return declared && declared.length > 0;
      },
    };
  });
}

/** The evaluations that the trainer of a configuration declares; undefined where that is not to be seen. */
export function trainerEvaluations(config: Config): readonly unknown[] | undefined {
  return trainers.has(config.trainer.type)
    ? declaredBy(trainers.lookup(config.trainer.type), config)
    : undefined;
}

/**
 * What the trainers that a factory makes declare. A function does not show the class behind it: one
 * trainer is made to look at, without a model and without data, and freed again. Undefined where none is to be seen.
 */
function declaredBy(factory: TrainerFactory, config: Config): readonly unknown[] | undefined {
  if (builtIn.has(factory)) return [];
  let made: unknown;
  try {
    made = factory({ config });
  } catch {
    // What it needs is not here yet. Should it fail for good, the run says why.
    return undefined;
  }
  // Whatever comes of freeing it: it has held nothing.
  void Promise.resolve(made)
    .then((trainer) => (trainer as Partial<Trainer> | undefined)?.dispose?.())
    .catch(() => {});
  return made instanceof Promise ? undefined : declaredEvaluations(made);
}

/** Losses that need another kind of outputs than a language model's. */
const NOT_OF_TOKENS = ["MSELoss", "BCEWithLogitsLoss", "NLLLoss"];

function checkLanguage({ trainer }: Config): EntryFault[] {
  if (!NOT_OF_TOKENS.includes(trainer.loss_criterion)) return [];
  const expected = `"CrossEntropyLoss" with trainer.type = "${trainer.type}", since tokens are classes`;
  return [{ path: ["trainer", "loss_criterion"], expected }];
}
