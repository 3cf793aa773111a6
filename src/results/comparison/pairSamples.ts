import { isDeepStrictEqual } from "node:util";
import { readSamples } from "../samples/readSamples.js";
import type { ScoredPair } from "./pairedDifference.js";

/** Samples that two files share, by metric. */
export interface SharedSamples {
  /** Metrics that both have numbers for, in the order of the first file. */
  readonly pairs: ReadonlyMap<string, readonly ScoredPair[]>;
  /** Samples that one of them lacks. */
  readonly alone: number;
  /** Samples of one name whose right answers differ: they are not the same question, and count for nothing. */
  readonly different: number;
}

/**
 * Pairs the samples of two files by `doc`. Scores of several numbers, which only mean something together, have no
 * difference and are passed over.
 * @throws RECORD_CORRUPT
 */
export async function pairSamples(pathA: string, pathB: string): Promise<SharedSamples> {
  const before = new Map<number | string, Scored>();
  for await (const { doc, gold, scores } of readSamples(pathA)) before.set(doc, { gold, scores });

  const pairs = new Map<string, ScoredPair[]>();
  for (const { scores } of before.values()) for (const metric of Object.keys(scores)) pairs.set(metric, []);
  let alone = 0;
  let different = 0;
  const met = new Set<number | string>();
  for await (const { doc, question = doc, gold, scores } of readSamples(pathB)) {
    const other = before.get(doc);
    met.add(doc);
    if (other === undefined) alone += 1;
    else if (!isDeepStrictEqual(other.gold, gold)) different += 1;
    else {
      for (const [metric, b] of Object.entries(scores)) {
        const a = Object.hasOwn(other.scores, metric) ? other.scores[metric] : null;
        if (typeof a === "number" && typeof b === "number") pairs.get(metric)?.push({ question, a, b });
      }
    }
  }
  for (const doc of before.keys()) if (!met.has(doc)) alone += 1;
  return { pairs: new Map([...pairs].filter(([, list]) => list.length > 0)), alone, different };
}

interface Scored {
  readonly gold: unknown;
  readonly scores: Readonly<Record<string, number | readonly number[] | null>>;
}
