import { PythonRandom, pythonStrip } from "../../base/index.js";
import { countMatches, isFound, pythonPattern } from "../python/index.js";
import {
  type Check,
  filledText,
  filledTexts,
  holds,
  instruction,
  relation,
  threshold,
} from "./instruction.js";

/** Every keyword, a regular expression, is found somewhere, be it inside a word. */
export const existence = instruction({ keywords: filledTexts }, ({ keywords }) => {
  const patterns = keywords.map((keyword) => pythonPattern(keyword, { ignoreCase: true }));
  return ({ text }) => patterns.every((pattern) => isFound(text, pattern));
});

/** The keyword, a regular expression, is found so often; matches do not overlap and may stand inside words. */
export const frequency = instruction(
  { keyword: filledText, frequency: threshold, relation },
  ({ keyword, frequency: limit, relation: asked }) => {
    const pattern = pythonPattern(pythonStrip(keyword), { ignoreCase: true });
    return ({ text }) => holds(countMatches(text, pattern), asked, limit);
  },
);

/** None of the words, regular expressions, stands between two borders of words. */
export const forbiddenWords = instruction({ forbidden_words: filledTexts }, ({ forbidden_words: words }) => {
  const patterns = words.map((word) => pythonPattern(`\\b${word}\\b`, { ignoreCase: true }));
  return ({ text }) => !patterns.some((pattern) => isFound(text, pattern));
});

/**
 * The letter, a to z in either case, is counted in the response in lower case. Any other sign is replaced by a drawn
 * letter, as the original does.
 */
export const letterFrequency = instruction(
  { letter: filledText, let_frequency: threshold, let_relation: relation },
  ({ letter, ...rest }, seed) => countsLetter(askedLetter(letter) ?? drawnLetter(seed), rest),
  ({ letter, ...rest }) =>
    askedLetter(letter) === undefined ? [...ALPHABET].map((drawn) => countsLetter(drawn, rest)) : [],
);

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
/** Python's `string.ascii_letters`. */
const ASCII_LETTERS = ALPHABET + ALPHABET.toUpperCase();

function countsLetter(
  letter: string,
  asked: { let_frequency: number; let_relation: "less than" | "at least" },
): Check {
  return ({ text }) =>
    holds(text.toLowerCase().split(letter).length - 1, asked.let_relation, asked.let_frequency);
}

function askedLetter(given: string): string | undefined {
  const letter = given.toLowerCase();
  return [...given].length === 1 && letter.length === 1 && ALPHABET.includes(letter) ? letter : undefined;
}

function drawnLetter(seed: number): string {
  return new PythonRandom(seed).choice(ASCII_LETTERS).toLowerCase();
}
