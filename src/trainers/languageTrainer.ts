import { ComposableTrainer } from "./composableTrainer.js";
import { languageStrategies, type StrategySet } from "./strategies/index.js";

/**
 * A composable trainer for language models: losses and gradients are means over the tokens that have a label, biases
 * and norms do not decay, and the test gives perplexity. Its updates count by their rows, as all updates do.
 */
export class LanguageTrainer extends ComposableTrainer {
  protected override makeStrategies(): Promise<StrategySet> {
    return languageStrategies(this.config);
  }
}
