import { pythonWords } from "../../base/index.js";
import type { TaskDocument } from "../document.js";
import type { Metric, SampleValue, TaskAnswers } from "./metric.js";
import { ASCII_PUNCTUATION } from "./textMatch.js";

/**
 * The eight scores of SQuAD 2.0's script, in percent: of one generation, and of how likely the text "unanswerable"
 * is after the same prompt (Rajpurkar et al. 2018).
 */
export function squadMetrics(): Metric[] {
  return [
    average("exact", EXACT, "all"),
    average("f1", F1, "all"),
    average("HasAns_exact", EXACT, "answerable"),
    average("HasAns_f1", F1, "answerable"),
    average("NoAns_exact", EXACT, "unanswerable"),
    average("NoAns_f1", F1, "unanswerable"),
    best("best_exact", EXACT),
    best("best_f1", F1),
  ];
}

/** Of one document: exact, f1, whether it has an answer, whether one was given, probability of none. */
function measure({ gold }: TaskDocument, { generations, scores }: TaskAnswers): readonly number[] {
  const answer = generations[0]!.text;
  const golds = (gold as readonly string[]).filter((text) => normalise(text) !== "");
  const hasAnswer = golds.length > 0;
  const right = hasAnswer ? golds : [""];
  return [
    Math.max(...right.map((text) => Number(normalise(text) === normalise(answer)))),
    Math.max(...right.map((text) => overlap(normalise(text), normalise(answer)))),
    Number(hasAnswer),
    Number(answer !== ""),
    Math.exp(scores[0]!.logLikelihood),
  ];
}

const EXACT = 0;
const F1 = 1;
type Score = typeof EXACT | typeof F1;
const [HAS_ANSWER, GAVE_ANSWER, PROBABILITY_OF_NONE] = [2, 3, 4] as const;

function average(name: string, score: Score, of: "all" | "answerable" | "unanswerable"): Metric {
  return squadMetric(name, (rows) => {
    const own = rows.filter((row) => of === "all" || (row[HAS_ANSWER] === 1) === (of === "answerable"));
    return own.length === 0 ? 0 : (100 * own.reduce((sum, row) => sum + row[score]!, 0)) / own.length;
  });
}

/** With the threshold on the probability of no answer that would have been best. */
function best(name: string, score: Score): Metric {
  return squadMetric(name, (rows) => {
    let current = rows.filter((row) => row[HAS_ANSWER] === 0).length;
    let highest = current;
    const rising = [...rows].sort((one, other) => one[PROBABILITY_OF_NONE]! - other[PROBABILITY_OF_NONE]!);
    for (const row of rising) {
      current += row[HAS_ANSWER] === 1 ? row[score]! : row[GAVE_ANSWER] === 1 ? -1 : 0;
      highest = Math.max(highest, current);
    }
    return (100 * highest) / rows.length;
  });
}

function squadMetric(name: string, aggregate: (rows: readonly (readonly number[])[]) => number): Metric {
  return {
    name,
    higherIsBetter: true,
    score: measure,
    aggregate: (values: readonly SampleValue[]) => aggregate(values as readonly (readonly number[])[]),
    standardError: () => undefined,
  };
}

/** Lower case, without punctuation and articles, single blanks. */
function normalise(text: string): string {
  const plain = text.toLowerCase().replace(ASCII_PUNCTUATION, "").replace(ARTICLES, " ");
  return pythonWords(plain).join(" ");
}

const ARTICLES = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/** F1 over the words of both, each counted as often as it occurs in both. */
function overlap(gold: string, answer: string): number {
  const [right, given] = [pythonWords(gold), pythonWords(answer)];
  if (right.length === 0 || given.length === 0) return Number(right.length === given.length);
  const left = new Map<string, number>();
  for (const word of right) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  if (common === 0) return 0;
  const precision = common / given.length;
  const recall = common / right.length;
  return (2 * precision * recall) / (precision + recall);
}
