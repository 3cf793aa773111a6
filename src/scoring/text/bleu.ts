import { pythonRightStrip, pythonWords } from "../../base/index.js";
import { commonCount, ngramCounts, totalCount } from "./ngrams.js";

/** Longest runs of words that are compared. */
export const BLEU_ORDER = 4;

/** What BLEU is made of; sums over texts are the same for a corpus. */
export interface BleuCounts {
  readonly answerLength: number;
  readonly expectedLength: number;
  /** By length of the run, from 1. */
  readonly correct: readonly number[];
  readonly total: readonly number[];
}

/** Counts of one answer; of several expected texts runs count as often as in the one that has most of them. */
export function bleuCounts(answer: string, expected: readonly string[]): BleuCounts {
  const words = bleuWords(answer);
  const references = expected.map(bleuWords);
  const orders = Array.from({ length: BLEU_ORDER }, (_, place) => place + 1);
  const grams = orders.map((order) => ngramCounts(words, order, " "));
  return {
    answerLength: words.length,
    expectedLength: closestLength(words.length, references),
    correct: orders.map((order) => commonCount(grams[order - 1]!, mostOfEach(references, order))),
    total: grams.map(totalCount),
  };
}

/**
 * BLEU (Papineni et al. 2002) from 0 to 100, as sacrebleu computes it (Post 2018): brevity penalty times the geometric
 * mean of the precisions; a precision of 0 is halved from the last one's share on (smoothing `exp`).
 * @param ofSentence only as long runs count as the answer has, as sacrebleu does for single sentences
 */
export function bleuOf(counts: BleuCounts, ofSentence: boolean): number {
  const { answerLength, expectedLength, correct, total } = counts;
  if (correct.every((count) => count === 0)) return 0;
  let order = BLEU_ORDER;
  let smoothing = 1;
  let logs = 0;
  for (let place = 0; place < order; place++) {
    if (total[place] === 0) {
      if (!ofSentence) return 0;
      order = place;
      break;
    }
    if (correct[place] === 0) smoothing *= 2;
    const share = correct[place] === 0 ? 1 / smoothing : correct[place]!;
    logs += Math.log((100 * share) / total[place]!);
  }
  const penalty = answerLength < expectedLength ? Math.exp(1 - expectedLength / answerLength) : 1;
  return penalty * Math.exp(logs / order);
}

/** Words as the tokenizer `13a` cuts them, that of the mteval script. */
export function bleuWords(text: string): string[] {
  let read = pythonRightStrip(text).replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
  for (const [entity, sign] of ENTITIES) read = read.replaceAll(entity, sign);
  const parted = ` ${read} `
    .replace(/[{-~[-` -&(-+:-@/]/g, " $& ")
    .replace(/([^0-9])([.,])/gu, "$1 $2 ")
    .replace(/([.,])([^0-9])/gu, " $1 $2")
    .replace(/([0-9])-/g, "$1 - ");
  return pythonWords(parted);
}

const ENTITIES = [
  ["&quot;", '"'],
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
] as const;

/** Of lengths that are equally near the shorter one. */
function closestLength(length: number, references: readonly (readonly string[])[]): number {
  const lengths = references.map((words) => words.length);
  return lengths.reduce((best, other) => {
    const [near, far] = [Math.abs(other - length), Math.abs(best - length)];
    return near < far || (near === far && other < best) ? other : best;
  });
}

function mostOfEach(references: readonly (readonly string[])[], order: number): Map<string, number> {
  const most = new Map<string, number>();
  for (const words of references) {
    for (const [gram, count] of ngramCounts(words, order, " ")) {
      most.set(gram, Math.max(count, most.get(gram) ?? 0));
    }
  }
  return most;
}
