import { commonCount, ngramCounts, totalCount } from "./ngrams.js";

/** How much of the expected text is in the answer, and the other way round; 0 to 1. */
export interface RougeScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** ROUGE-L (Lin 2004): over the longest common subsequence of words. A text without words gives 0. */
export function rougeL(expected: readonly string[], answer: readonly string[]): RougeScore {
  return shares(longestCommon(expected, answer), expected.length, answer.length);
}

/** ROUGE-N (Lin 2004): over runs of so many words. */
export function rougeN(expected: readonly string[], answer: readonly string[], size: number): RougeScore {
  const [theirs, own] = [ngramCounts(expected, size, " "), ngramCounts(answer, size, " ")];
  return shares(commonCount(theirs, own), totalCount(theirs), totalCount(own));
}

/** Words as the package rouge_score cuts them: lower case, runs of ASCII letters and digits. */
export function rougeWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function shares(common: number, expected: number, answer: number): RougeScore {
  const precision = common / Math.max(answer, 1);
  const recall = common / Math.max(expected, 1);
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
  return { precision, recall, f1 };
}

/** Length of the longest subsequence of both; one row of the table at a time. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  let before = new Uint32Array(other.length + 1);
  let current = new Uint32Array(other.length + 1);
  for (const word of one) {
    for (let place = 1; place <= other.length; place++) {
      current[place] =
        word === other[place - 1] ? before[place - 1]! + 1 : Math.max(before[place]!, current[place - 1]!);
    }
    [before, current] = [current, before];
  }
  return before[other.length]!;
}
