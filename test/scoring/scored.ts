import { type ScorerRow, type ScoringSurroundings, scorers } from "../../src/scoring/index.js";
import { gathered } from "./suites/scorerSuite.js";

/** Scores rows by a registered scorer. */
export async function scored(
  name: string,
  rows: readonly ScorerRow[],
  params: unknown = {},
  surroundings: ScoringSurroundings = {},
) {
  const scoring = scorers.lookup(name).score(rows, params, undefined, surroundings);
  const results = await gathered(scoring.rows);
  return {
    results,
    scores: results.map(({ score }) => score),
    metrics: scoring.metrics(),
    details: scoring.details(),
    aggregated: scoring.aggregated(),
  };
}
