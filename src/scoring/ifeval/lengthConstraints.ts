import { ElenchusError, pythonStrip, pythonWords } from "../../base/index.js";
import { countMatches, pythonPattern, stripStart } from "../python/index.js";
import { filledText, holds, instruction, relation, threshold } from "./instruction.js";

/** Sentences as the English Punkt model splits them. */
export const numberSentences = instruction(
  { num_sentences: threshold, relation },
  ({ num_sentences: limit, relation: asked }) =>
    ({ sentenceCount }) =>
      holds(sentenceCount, asked, limit),
);

/** Paragraphs are parted by `***`; a blank first or last one does not count, a blank one elsewhere fails. */
export const numberParagraphs = instruction(
  { num_paragraphs: threshold },
  ({ num_paragraphs: count }) =>
    ({ text }) => {
      const blanks = text.split(DIVIDER).map((piece) => pythonStrip(piece) === "");
      if (blanks.slice(1, -1).includes(true)) return false;
      return blanks.filter((blank) => !blank).length === count;
    },
);

/** Words are runs of letters, digits and underscores; a combining mark ends one. */
export const numberWords = instruction(
  { num_words: threshold, relation },
  ({ num_words: limit, relation: asked }) =>
    ({ text }) =>
      holds(countMatches(text, WORD), asked, limit),
);

/**
 * Paragraphs are parted by two line feeds and blank ones do not count, but the place of the nth is counted with
 * them. Its first word ends at the first of `. , ? ! ' "`, of which single, then double quotes may stand before it.
 */
export const nthParagraphFirstWord = instruction(
  {
    num_paragraphs: threshold,
    nth_paragraph: threshold.refine(
      (value) => Number.isInteger(value) && value >= 1,
      "expected a whole number from 1",
    ),
    first_word: filledText,
  },
  ({ num_paragraphs: count, nth_paragraph: nth, first_word: word }) => {
    if (nth > count) {
      throw new ElenchusError(
        "ROW_INVALID",
        `nth_paragraph = ${nth} lies beyond num_paragraphs = ${count}: expected a whole number from 1 to ${count}.`,
      );
    }
    const asked = word.toLowerCase();
    return ({ text }) => {
      const paragraphs = text.split("\n\n").map(pythonStrip);
      const filled = paragraphs.filter((paragraph) => paragraph !== "").length;
      if (nth > filled || filled !== count) return false;
      return firstWord(paragraphs[nth - 1]!) === asked;
    };
  },
);

const DIVIDER = pythonPattern(String.raw`\s?\*\*\*\s?`);
const WORD = pythonPattern(String.raw`\w+`);

/** Undefined for a blank paragraph. Each character is lower-cased by itself, so that a final sigma stays plain. */
function firstWord(paragraph: string): string | undefined {
  const [token] = pythonWords(paragraph);
  if (token === undefined) return undefined;
  const [word = ""] = stripStart(stripStart(token, "'"), '"').split(/[.,?!'"]/);
  return [...word].map((character) => character.toLowerCase()).join("");
}
