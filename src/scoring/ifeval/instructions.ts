import { capitalWordFrequency, englishCapital, englishLowercase } from "./changeCase.js";
import { repeatPrompt, twoResponses } from "./combination.js";
import { numberPlaceholders, postscript } from "./detectableContent.js";
import {
  constrainedResponse,
  jsonFormat,
  multipleSections,
  numberBulletLists,
  numberHighlightedSections,
  title,
} from "./detectableFormat.js";
import type { Instruction } from "./instruction.js";
import { existence, forbiddenWords, frequency, letterFrequency } from "./keywords.js";
import {
  nthParagraphFirstWord,
  numberParagraphs,
  numberSentences,
  numberWords,
} from "./lengthConstraints.js";
import { noComma } from "./punctuation.js";
import { responseLanguage } from "./responseLanguage.js";
import { endChecker, quotation } from "./startEnd.js";

/** The 25 instructions of IFEval (Zhou et al. 2023), by the ids of its data set. */
export const INSTRUCTIONS: ReadonlyMap<string, Instruction> = new Map([
  ["keywords:existence", existence],
  ["keywords:frequency", frequency],
  ["keywords:forbidden_words", forbiddenWords],
  ["keywords:letter_frequency", letterFrequency],
  ["language:response_language", responseLanguage],
  ["length_constraints:number_sentences", numberSentences],
  ["length_constraints:number_paragraphs", numberParagraphs],
  ["length_constraints:number_words", numberWords],
  ["length_constraints:nth_paragraph_first_word", nthParagraphFirstWord],
  ["detectable_content:number_placeholders", numberPlaceholders],
  ["detectable_content:postscript", postscript],
  ["detectable_format:number_bullet_lists", numberBulletLists],
  ["detectable_format:constrained_response", constrainedResponse],
  ["detectable_format:number_highlighted_sections", numberHighlightedSections],
  ["detectable_format:multiple_sections", multipleSections],
  ["detectable_format:json_format", jsonFormat],
  ["detectable_format:title", title],
  ["combination:two_responses", twoResponses],
  ["combination:repeat_prompt", repeatPrompt],
  ["startend:end_checker", endChecker],
  ["startend:quotation", quotation],
  ["change_case:capital_word_frequency", capitalWordFrequency],
  ["change_case:english_capital", englishCapital],
  ["change_case:english_lowercase", englishLowercase],
  ["punctuation:no_comma", noComma],
]);

/** The ids, in the order of the table. */
export const INSTRUCTION_IDS: readonly string[] = [...INSTRUCTIONS.keys()];
