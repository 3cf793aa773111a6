import { pythonWords } from "../../base/index.js";
import { commonCount, ngramCounts, totalCount } from "./ngrams.js";

/** Which runs are compared, and how much recall counts against precision. */
export interface ChrfOptions {
  readonly char_order: number;
  /** 2 makes it chrF++. */
  readonly word_order: number;
  readonly beta: number;
}

/** Runs in the answer, in the expected text, and in both, for each length. */
export type ChrfCounts = readonly (readonly [answer: number, expected: number, common: number])[];

/** Counts against the expected text that gives the best score. */
export function chrfCounts(answer: string, expected: readonly string[], options: ChrfOptions): ChrfCounts {
  const own = gramsOf(answer, options);
  const all = expected.map((text) =>
    gramsOf(text, options).map((theirs, place) => {
      // What the expected text has none of is not held against the answer.
      const given = theirs.size === 0 ? 0 : totalCount(own[place]!);
      return [given, totalCount(theirs), commonCount(own[place]!, theirs)] as const;
    }),
  );
  return all.reduce((best, other) => (chrfOf(other, options) > chrfOf(best, options) ? other : best));
}

/**
 * chrF (Popovic 2015) from 0 to 100, as sacrebleu computes it: F-beta of the mean precision and recall over the
 * lengths that both texts have.
 */
export function chrfOf(counts: ChrfCounts, { beta }: ChrfOptions): number {
  const both = counts.filter(([answer, expected]) => answer > 0 && expected > 0);
  if (both.length === 0) return 0;
  const precision = both.reduce((sum, [answer, , common]) => sum + common / answer, 0) / both.length;
  const recall = both.reduce((sum, [, expected, common]) => sum + common / expected, 0) / both.length;
  if (precision + recall === 0) return 0;
  return (100 * (1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall);
}

function gramsOf(text: string, { char_order, word_order }: ChrfOptions): Map<string, number>[] {
  const characters = [...pythonWords(text).join("")];
  const words = partedWords(text);
  return [
    ...Array.from({ length: char_order }, (_, place) => ngramCounts(characters, place + 1, "")),
    ...Array.from({ length: word_order }, (_, place) => ngramCounts(words, place + 1, " ")),
  ];
}

/** One mark at the end of a word, else one at its beginning, is a word of its own. */
function partedWords(text: string): string[] {
  return pythonWords(text).flatMap((word) => {
    const characters = [...word];
    if (characters.length === 1) return [word];
    if (MARK.test(characters.at(-1)!)) return [characters.slice(0, -1).join(""), characters.at(-1)!];
    if (MARK.test(characters[0]!)) return [characters[0]!, characters.slice(1).join("")];
    return [word];
  });
}

const MARK = /[!-/:-@[-`{-~]/;
