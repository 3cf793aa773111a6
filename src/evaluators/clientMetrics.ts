import type { MetricSum } from "./evaluationOutcome.js";

/** A number that one client's evaluator found. */
export interface ClientValue {
  readonly name: string;
  readonly value: number;
  readonly higherIsBetter: boolean | null;
  /** Numerator and denominator that add up over clients; null where there are none. */
  readonly sum: MetricSum | null;
}

/** What one client's evaluator found. */
export interface ClientValues {
  /** Rows that the client trained on. Without any it has no part in means. */
  readonly weight: number;
  readonly metrics: readonly ClientValue[];
}

/** A metric over clients. */
export interface ClientMetrics {
  readonly metric: string;
  /** Exact where `exact`, else the mean weighted by samples; null where it does not exist. */
  readonly value: number | null;
  /** Whether it comes from sums of numerators and denominators. */
  readonly exact: boolean;
  /** Standard deviation over clients about their weighted mean, weighted by samples, of a population. */
  readonly std: number | null;
  readonly min: number;
  readonly max: number;
  readonly higherIsBetter: boolean | null;
}

/**
 * Aggregates what an evaluator found on clients, metric by metric in the order in which they first occur. A metric is
 * exact where every client that has it says what adds up, in the same transform; a mean of ratios is not the ratio of
 * sums.
 */
export function aggregateClients(clients: readonly ClientValues[]): ClientMetrics[] {
  const names = new Set(clients.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
  const byName = clients.map(({ weight, metrics }) => ({
    weight,
    metrics: new Map(metrics.map((metric) => [metric.name, metric])),
  }));
  return [...names].map((name) => {
    const found = byName.flatMap(({ weight, metrics }) => {
      const metric = metrics.get(name);
      return metric === undefined ? [] : [{ weight, ...metric }];
    });
    return aggregated(name, found);
  });
}

type Weighed = ClientValue & { readonly weight: number };

function aggregated(metric: string, found: readonly Weighed[]): ClientMetrics {
  const values = found.map(({ value }) => value);
  const total = found.reduce((sum, { weight }) => sum + weight, 0);
  const mean = total > 0 ? found.reduce((sum, one) => sum + (one.weight / total) * one.value, 0) : null;
  const variance =
    mean === null
      ? null
      : found.reduce((sum, one) => sum + (one.weight / total) * (one.value - mean) ** 2, 0);
  const sums = found.map(({ sum }) => sum);
  const exact = sums.every((sum) => sum !== null && sum.transform === sums[0]!.transform);
  return {
    metric,
    value: finite(exact ? ratio(sums as MetricSum[]) : mean),
    exact,
    std: finite(variance === null ? null : Math.sqrt(variance)),
    min: Math.min(...values),
    max: Math.max(...values),
    higherIsBetter: found.find((one) => one.higherIsBetter !== null)?.higherIsBetter ?? null,
  };
}

function ratio(sums: readonly MetricSum[]): number | null {
  const numerator = sums.reduce((total, sum) => total + sum.numerator, 0);
  const denominator = sums.reduce((total, sum) => total + sum.denominator, 0);
  if (denominator === 0) return null;
  const value = numerator / denominator;
  return sums[0]!.transform === "exp" ? Math.exp(value) : value;
}

/** Sums of finite numbers may not be. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
