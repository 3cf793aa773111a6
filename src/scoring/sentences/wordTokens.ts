import { pythonWords } from "../../base/index.js";
import { pythonPattern } from "../python/pythonPattern.js";

import { splitSentences } from "./splitSentences.js";

/**
 * The tokens of an English text as NLTK 3.8's `word_tokenize` gives them: sentences first, then the substitutions of
 * its Penn Treebank tokenizer, in their order. `DON'T` gives `DO` and `N'T`; double quotes become pairs of single ones.
 */
export function wordTokens(text: string): string[] {
  return splitSentences(text).flatMap(sentenceTokens);
}

function sentenceTokens(sentence: string): string[] {
  const spaced = ` ${substituted(sentence, BEFORE_PADDING)} `;
  return pythonWords(substituted(spaced, AFTER_PADDING));
}

type Substitution = readonly [RegExp, string];

function substituted(text: string, substitutions: readonly Substitution[]): string {
  return substitutions.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

/** A rule in Python's notation and its replacement in JavaScript's. */
function rule(source: string, replacement: string): Substitution {
  return [pythonPattern(source), replacement];
}

const APART = " $& ";

const BEFORE_PADDING: readonly Substitution[] = [
  // Opening quotes.
  rule("[«“‘„]|[`]+", APART),
  rule('^"', "``"),
  rule("``", APART),
  rule(String.raw`([ \(\[{<])("|'{2})`, "$1 `` "),
  rule(String.raw`(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b`, "$1 $2"),
  // Punctuation.
  rule(String.raw`([^\.])(\.)([\]\)}>"'»”’ ]*)\s*$`, "$1 $2 $3 "),
  rule(String.raw`([:,])([^\d])`, " $1 $2"),
  rule("[:,]$", APART),
  rule(String.raw`\.{2,}`, APART),
  rule("[;@#$%&]", APART),
  rule(String.raw`([^\.])(\.)([\]\)}>"']*)\s*$`, "$1 $2$3 "),
  rule("[?!]", APART),
  rule("([^'])' ", "$1 ' "),
  rule("[*]", APART),
  rule(String.raw`[\]\[\(\)\{\}\<\>]`, APART),
  rule("--", APART),
];

const AFTER_PADDING: readonly Substitution[] = [
  // Closing quotes and what an apostrophe ties to a word.
  rule("[»”’]", APART),
  rule("''", APART),
  rule('"', " '' "),
  rule("([^' ])('[sS]|'[mM]|'[dD]|') ", "$1 $2 "),
  rule("([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", "$1 $2 "),
  // Contractions of two words.
  ...[
    String.raw`\b(can)(not)\b`,
    String.raw`\b(d)('ye)\b`,
    String.raw`\b(gim)(me)\b`,
    String.raw`\b(gon)(na)\b`,
    String.raw`\b(got)(ta)\b`,
    String.raw`\b(lem)(me)\b`,
    String.raw`\b(more)('n)\b`,
    String.raw`\b(wan)(na)(?=\s)`,
    String.raw` ('t)(is)\b`,
    String.raw` ('t)(was)\b`,
  ].map((source) => rule(`(?i)${source}`, " $1 $2 ")),
];
