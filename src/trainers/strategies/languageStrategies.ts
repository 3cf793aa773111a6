import type { OptimizerStrategy } from "../../algorithms/index.js";
import type { Config } from "../../config/index.js";
import { defaultStrategies, type StrategySet } from "./defaultStrategies.js";
import { optimizers } from "./optimizers.js";

/**
 * The strategies that `[trainer]` and `[parameters]` ask for, for a language model: biases and the weights of norms do
 * not decay, and testing gives perplexity.
 * @throws as `defaultStrategies`
 */
export async function languageStrategies(
  config: Pick<Config, "trainer" | "parameters">,
): Promise<StrategySet> {
  const { PerplexityTesting } = await import("./perplexityTesting.js");
  const set = await defaultStrategies(config);
  return {
    ...set,
    optimizer: await withoutDecayOfNorms(set.optimizer, config),
    testing: new PerplexityTesting(),
  };
}

/**
 * Weights that weight decay leaves alone, by the end of their name: biases and the scales of norms, as Hugging Face's
 * `Trainer` has it (GPT-2 calls its norms ln_1, ln_2 and ln_f).
 */
const NOT_DECAYED = /(^|\.)bias$|(^|[._])(norm|layernorm|rmsnorm|ln_[12f])\.weight$/;

/** Whether weight decay applies to a weight of a language model. */
export function decays(name: string): boolean {
  return !NOT_DECAYED.test(name);
}

async function withoutDecayOfNorms(
  all: OptimizerStrategy,
  { trainer, parameters }: Pick<Config, "trainer" | "parameters">,
): Promise<OptimizerStrategy> {
  const factory = optimizers.lookup(trainer.optimizer);
  // An optimizer of the user's own may know no such thing.
  const shape = (factory.options as { shape?: Record<string, unknown> } | undefined)?.shape;
  if (all.choosesDecay || shape?.weight_decay === undefined) return all;
  const { ParameterGroups } = await import("./parameterGroups.js");
  const facts = { epochs: trainer.epochs };
  const undecayed = await factory({ ...parameters.optimizer, weight_decay: 0 }, facts);
  return new ParameterGroups([
    { belongs: decays, optimizer: all },
    { belongs: () => true, optimizer: undecayed },
  ]);
}
