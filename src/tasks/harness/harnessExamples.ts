import { isDeepStrictEqual } from "node:util";
import { ElenchusError, PythonRandom } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { HarnessSampler, PlacedDoc } from "./harnessSpec.js";

/** How examples are chosen. */
export interface ExampleRules {
  readonly sampler: HarnessSampler;
  readonly shots: number;
  readonly seed: number;
  /** Whether one more is drawn, and what equals the document left out. */
  readonly leavesOut: boolean;
}

/**
 * Chooses examples for one document after the other. All draws come from one generator that is never set back, so
 * those of a document depend on how many there were before.
 */
export function harnessExamples(
  pool: readonly PlacedDoc[],
  { sampler, shots, seed, leavesOut }: ExampleRules,
): (row: TableRow) => readonly PlacedDoc[] {
  if (shots === 0) return () => [];
  const drawn = sampler === "random" && leavesOut ? shots + 1 : shots;
  if (drawn > pool.length) throw tooFewExamples(drawn, pool.length);
  if (sampler === "first") return () => pool.slice(0, shots);
  const random = new PythonRandom(seed);
  return (row) => {
    const sample = random.sample(pool, drawn);
    return leavesOut ? sample.filter((one) => !isDeepStrictEqual(one.row, row)).slice(0, shots) : sample;
  };
}

/** The error for a pool that holds less than is drawn. */
export function tooFewExamples(wanted: number, found: number): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `${wanted} rows are to be drawn as examples, and there are ${found}. Ask for fewer shots, or give more rows.`,
  );
}
