import type { ZodType, z } from "zod";
import type {
  LearningRateSchedulerStrategy,
  LossStrategy,
  OptimizerStrategy,
} from "../../algorithms/index.js";
import { createRegistry, parseOptions, type Registry } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";

/** Makes a strategy from its table under `[parameters]`. */
export interface StrategyFactory<S> {
  (parameters: Readonly<Record<string, unknown>>, facts: StrategyFacts): S | Promise<S>;
  /** Schema of the table, so that `check` can say what is wrong with it. */
  readonly options?: ZodType;
}

/** What of the configuration a strategy may need beyond its own table. */
export interface StrategyFacts {
  /** `trainer.epochs`. */
  readonly epochs: number;
}

/** A factory with a schema, typed by it: it parses its table itself, so it may also be called directly. */
export function strategyFactory<O extends ZodType, S>(
  where: string,
  options: O,
  make: (options: z.output<O>, facts: StrategyFacts) => S | Promise<S>,
): StrategyFactory<S> {
  const factory: StrategyFactory<S> = (parameters, facts) =>
    make(parseOptions(options, parameters, where), facts);
  return Object.assign(factory, { options });
}

/** What `trainer.optimizer` may name. */
export const optimizers = createRegistry<StrategyFactory<OptimizerStrategy>>("optimizer");

/** What `trainer.lr_scheduler` may name. */
export const schedulers =
  createRegistry<StrategyFactory<LearningRateSchedulerStrategy>>("learning-rate schedule");

/** What `trainer.loss_criterion` may name. */
export const losses = createRegistry<StrategyFactory<LossStrategy>>("loss");

/** The registered names for the configuration's catalog. */
export function strategyCatalog(): Record<"optimizers" | "schedulers" | "losses", CatalogEntry[]> {
  return {
    optimizers: entriesOf(optimizers),
    schedulers: entriesOf(schedulers),
    losses: entriesOf(losses),
  };
}

function entriesOf<S>(registry: Registry<StrategyFactory<S>>): CatalogEntry[] {
  return registry.list().map((entry) => {
    const { options } = registry.lookup(entry.name);
    return { ...entry, ...(options && { options }) };
  });
}
