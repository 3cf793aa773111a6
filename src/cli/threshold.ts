import { InvalidArgumentError } from "commander";
import { ElenchusError } from "../base/index.js";

/** What a metric has to reach for a command to end with success. */
export interface Threshold {
  metric: string;
  direction: ">=" | "<=";
  limit: number;
}

/** Parses `METRIC>=X` or `METRIC<=X`. */
export function threshold(text: string): Threshold {
  const [, metric, direction, number] = /^\s*([^<>=\s]+)\s*(>=|<=)\s*(\S+)\s*$/.exec(text) ?? [];
  const limit = Number(number);
  if (metric === undefined || !Number.isFinite(limit)) {
    throw new InvalidArgumentError(
      `expected METRIC>=NUMBER or METRIC<=NUMBER, found ${JSON.stringify(text)}.`,
    );
  }
  return { metric, direction: direction as Threshold["direction"], limit };
}

/** A metric by the name a threshold gives it; null where it does not exist for so few rows. */
export type NamedMetrics = ReadonlyMap<string, number | null>;

/**
 * @throws USAGE for a metric that is not there, THRESHOLD_MISSED for one that has no value or does not reach the limit
 * @param printed whether the command's document has been printed already
 */
export function requireThresholds(
  asked: readonly Threshold[],
  metrics: NamedMetrics,
  printed: boolean,
): void {
  const details = { documentPrinted: printed };
  const missed: string[] = [];
  for (const { metric, direction, limit } of asked) {
    const value = metrics.get(metric);
    if (value === undefined && metrics.size > 0) {
      throw new ElenchusError(
        "USAGE",
        `--threshold names the metric "${metric}", which was not measured. Measured: ${[...metrics.keys()].join(", ")}.`,
        { details },
      );
    }
    const reached = value != null && (direction === ">=" ? value >= limit : value <= limit);
    if (!reached) missed.push(`${metric} is ${value ?? "not measured"}, asked for ${direction} ${limit}`);
  }
  if (missed.length > 0) throw new ElenchusError("THRESHOLD_MISSED", `${missed.join("; ")}.`, { details });
}
