import type { Registry } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";
import { losses } from "./losses.js";
import { optimizers } from "./optimizers.js";
import { schedulers } from "./schedulers.js";
import type { StrategyFactory } from "./strategyFactory.js";

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
