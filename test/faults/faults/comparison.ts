import type { Fault } from "../fault.js";

/** In samples, in what is made of them, and in rows that are grown afterwards. */
export const comparison: readonly Fault[] = [
  {
    name: "samples of one question counted one by one",
    file: "results/comparison/pairedDifference.ts",
    from: "clusters.set(question, cluster);",
    to: "clusters.set(clusters.size, cluster);",
    test: "results/comparison.test.ts",
    only: "sums within a question first",
  },
  {
    name: "one-sided test",
    file: "results/comparison/mcNemar.ts",
    from: "if (Math.abs(sum) >= least) tail += chance;",
    to: "if (sum >= least) tail += chance;",
    test: "results/comparison.test.ts",
    only: "is exact for few",
  },
  {
    name: "samples of other questions paired",
    file: "results/comparison/pairSamples.ts",
    from: "else if (!isDeepStrictEqual(other.gold, gold)) different += 1;",
    to: "else if (other.gold === undefined) different += 1;",
    test: "cli/results.test.ts",
    only: "leaves out samples whose right answers differ",
  },
  {
    name: "measured number given up for a failure",
    file: "results/backfill.ts",
    from: "outcome.result !== null || !measured(row, outcome.name)",
    to: "outcome.name !== row?.statuses.get(outcome.status)",
    test: "results/backfill.test.ts",
    only: "keep what was measured where the evaluator fails now",
  },
  {
    name: "samples without end",
    file: "evaluators/samples/taskFile.ts",
    from: "this.#bytes + line.length > this.limit",
    to: "this.#bytes > 2 * this.limit",
    test: "evaluators/samples.test.ts",
    only: "are cut at their largest size, with a warning",
  },
  {
    name: "answers of other weights taken",
    file: "language/answers/answerFile.ts",
    from: "digestOf(scope)",
    to: "digestOf(typeof scope)",
    test: "language/keptAnswers.test.ts",
    only: "is asked anew with other options, and with other weights",
  },
  {
    name: "interval of one side",
    file: "evaluators/intervals.ts",
    from: "value - bound * error",
    to: "value",
    test: "evaluators/intervals.test.ts",
    only: "stand behind the details, 1.96 standard errors to either side",
  },
];
