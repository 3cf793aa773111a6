import type { ZodType, z } from "zod";
import { parseOptions } from "../../base/index.js";

/** Makes a strategy from its table under `[parameters]`. */
export interface StrategyFactory<S> {
  (parameters: Readonly<Record<string, unknown>>, facts: StrategyFacts): S | Promise<S>;
  /** Schema of the table, so that `check` can say what is wrong with it. */
  readonly options?: ZodType;
}

/** What of the configuration a strategy may need beyond its own table. */
export interface StrategyFacts {
  /** `trainer.epochs`; those of all rounds where the schedule runs over them. */
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
