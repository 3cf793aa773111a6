import type { Logger } from "../base/index.js";

const told = new WeakMap<Logger, Set<string>>();

/** Warns of what is the same in every round, once. */
export function warnOnce(logger: Logger, message: string): void {
  const said = told.get(logger) ?? new Set();
  told.set(logger, said);
  if (said.has(message)) return;
  said.add(message);
  logger.warn(message);
}
