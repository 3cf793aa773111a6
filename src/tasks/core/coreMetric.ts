/**
 * What guessing reaches, in percent, where that is not zero. `v1` are the numbers of DCLM's first table, which
 * nanochat uses; `v2` those of its correction of September 2025, which are higher for three tasks.
 */
const BASELINES_V1: ReadonlyMap<string, number> = new Map([
  ["hellaswag_zeroshot", 25],
  ["arc_easy", 25],
  ["arc_challenge", 25],
  ["copa", 50],
  ["commonsense_qa", 20],
  ["piqa", 50],
  ["openbook_qa", 25],
  ["hellaswag", 25],
  ["winograd", 50],
  ["winogrande", 50],
  ["agi_eval_lsat_ar", 20],
  ["boolq", 62],
  ["bigbench_language_identification", 9.1],
]);

const CORRECTIONS: ReadonlyMap<string, number> = new Map([
  ["commonsense_qa", 40.3],
  ["agi_eval_lsat_ar", 25],
  ["bigbench_language_identification", 25],
]);

/** Percent that guessing reaches in each task; 0 for all others. */
export function coreBaselines(table: "v1" | "v2"): ReadonlyMap<string, number> {
  return table === "v1" ? BASELINES_V1 : new Map([...BASELINES_V1, ...CORRECTIONS]);
}

/** CORE and what it is the mean of. */
export interface CoreScore {
  /** Accuracies with guessing taken off: 0 for guessing, 1 for all right, below 0 for worse than guessing. */
  readonly centred: ReadonlyMap<string, number>;
  readonly metric: number;
}

/**
 * The mean of the centred accuracies (acc - b) / (1 - b), b what guessing reaches.
 * @param accuracies 0 to 1 by label; a metric of other than the 22 tasks must not be called CORE
 * @param baselines percent by label; 0 where one is missing
 */
export function coreScore(
  accuracies: ReadonlyMap<string, number>,
  baselines: ReadonlyMap<string, number> = coreBaselines("v1"),
): CoreScore {
  const centred = new Map(
    [...accuracies].map(([label, accuracy]) => {
      const guessing = 0.01 * (baselines.get(label) ?? 0);
      return [label, (accuracy - guessing) / (1 - guessing)] as const;
    }),
  );
  const sum = [...centred.values()].reduce((total, value) => total + value, 0);
  return { centred, metric: sum / centred.size };
}
