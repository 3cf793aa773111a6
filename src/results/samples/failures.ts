import { ElenchusError, ownValue, unknownName } from "../../base/index.js";
import type { SampleLine } from "../../evaluators/index.js";

/**
 * The metric by which samples are judged.
 * @param wanted default: the first of the first sample's
 * @throws NAME_UNKNOWN with the metrics that there are
 */
export function judgingMetric(
  samples: readonly SampleLine[],
  wanted: string | undefined,
): string | undefined {
  const metrics = [...new Set(samples.flatMap(({ scores }) => Object.keys(scores)))];
  if (wanted === undefined || metrics.length === 0) return metrics[0];
  if (metrics.includes(wanted)) return wanted;
  throw unknownName("metric of samples", wanted, metrics);
}

/**
 * The samples that are not wholly right: a score below 1, or none at all.
 * @throws USAGE where the metric's scores are no shares of 1, so that nothing says what is right
 */
export function failuresIn<T extends SampleLine>(samples: readonly T[], metric: string | undefined): T[] {
  const scored = samples.map((sample) => ({ sample, score: scoreOf(sample, metric) }));
  const outside = scored.find(({ score }) => score !== null && !isShare(score));
  if (outside !== undefined) {
    throw new ElenchusError(
      "USAGE",
      `--failures cannot go by ${JSON.stringify(metric)}: it scores ${JSON.stringify(outside.score)}, and only of scores from 0 to 1 is 1 known to be right. Choose another with --metric.`,
    );
  }
  return scored.filter(({ score }) => score === null || (score as number) < 1).map(({ sample }) => sample);
}

/** A sample's score by a metric; null where it has none. */
export function scoreOf(
  { scores }: SampleLine,
  metric: string | undefined,
): number | readonly number[] | null {
  return (metric === undefined ? undefined : ownValue(scores, metric)) ?? null;
}

function isShare(score: number | readonly number[]): boolean {
  return typeof score === "number" && score >= 0 && score <= 1;
}
