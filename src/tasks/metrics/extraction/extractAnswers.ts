import type { Mathematics } from "../../../scoring/index.js";
import type { AnswerPattern, AnswerTarget } from "./answerTarget.js";
import { expressionPatterns } from "./expressionPatterns.js";
import { latexPatterns } from "./latexPatterns.js";
import { letterPatterns } from "./letterPatterns.js";
import { readExpression, readLatex, readLetter } from "./readMatch.js";

/** Something found in an answer: what it means, or the text where nobody could read it. */
export type Extracted = Mathematics | string;

/** How a text is searched. */
export interface ExtractionOptions {
  readonly targets: readonly AnswerTarget[];
  /** How many choices the letters name. */
  readonly choices?: number;
  /** Whether the text of the first place is taken too, read or not. Default true. */
  readonly fallback?: boolean;
  /** Whether only the first place is tried. Default false. */
  readonly firstOnly?: boolean;
}

/**
 * What a text comes to: of the clearest kind of place at which anything can be read, the last one; and the text of the first
 * place that was tried. The rules are those of lighteval's `extract_target_from_pred`.
 */
export function extractAnswers(text: string, options: ExtractionOptions): Extracted[] {
  const { fallback = true, firstOnly = false } = options;
  const searched = text.slice(-LONGEST);
  const found: Extracted[] = [];
  let firstText: string | undefined;
  for (const places of placesByPriority(searched, options)) {
    for (const { match, read } of places) {
      const { value, written } = read(match);
      if (written !== "") firstText ??= written;
      if (value !== undefined) found.push(value);
      if (value !== undefined || firstOnly) break;
    }
    if (found.length > 0 || (firstOnly && places.length > 0)) break;
  }
  return fallback && firstText !== undefined ? [...found, firstText] : found;
}

/** Characters at the end of a text that are searched: time grows with their square, and answers stand at the end. */
const LONGEST = 10_000;

/** What a match means, and what is written there. */
export type ReadMatch = (match: RegExpMatchArray) => { value: Extracted | undefined; written: string };

interface Place {
  readonly match: RegExpMatchArray;
  readonly read: ReadMatch;
}

/** Kinds of places from the clearest on; of each, the places from the last one of the text on. */
function* placesByPriority(text: string, { targets, choices = 0 }: ExtractionOptions): Generator<Place[]> {
  const all = [...targets]
    .sort((one, other) => ORDER[one.kind] - ORDER[other.kind])
    .flatMap((target) =>
      patternsOf(target, choices).map((pattern) => ({ ...pattern, read: READ[target.kind] })),
    );
  for (const priority of [...new Set(all.map((one) => one.priority))].sort((one, other) => one - other)) {
    const places = all
      .filter((one) => one.priority === priority)
      .flatMap(({ pattern, read }) => [...text.matchAll(pattern)].map((match) => ({ match, read })));
    yield places.sort(
      ({ match: one }, { match: other }) => endOf(other) - endOf(one) || one.index! - other.index!,
    );
  }
}

const ORDER: Readonly<Record<AnswerTarget["kind"], number>> = { letter: 0, latex: 1, expression: 2 };
const READ: Readonly<Record<AnswerTarget["kind"], ReadMatch>> = {
  letter: readLetter,
  latex: readLatex,
  expression: readExpression,
};

const known = new Map<string, AnswerPattern[]>();

function patternsOf(target: AnswerTarget, choices: number): AnswerPattern[] {
  const key = JSON.stringify([target, choices]);
  const patterns = known.get(key) ?? makePatterns(target, choices);
  known.set(key, patterns);
  return patterns;
}

function makePatterns(target: AnswerTarget, choices: number): AnswerPattern[] {
  if (target.kind === "letter") return letterPatterns(target, choices);
  return target.kind === "latex" ? latexPatterns(target) : expressionPatterns(target);
}

function endOf(match: RegExpMatchArray): number {
  return match.index! + match[0].length;
}
