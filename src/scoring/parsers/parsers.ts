import { sharedRegistry } from "../../base/index.js";
import { documentAnswer } from "../basic/docvqa.js";
import { finalAnswer, firstAnswer } from "../basic/mathAnswer.js";
import { FINAL_ANSWER } from "../basic/mathTables.js";
import { MULTIPLE_CHOICE_REGEXES } from "../basic/multipleChoiceRegex.js";
import { firstGroup } from "../basic/regexList.js";
import { boxedContent } from "../mathematics/index.js";
import { pythonPattern } from "../python/index.js";
import type { AnswerParser } from "./answerParser.js";
import { choiceLetter } from "./choiceLetter.js";
import { lastLine, lastNumber } from "./lastAnswer.js";
import { optionCount } from "./optionCount.js";

/** What picks answers out of texts, by name; for `exact_match` and other scorers with a param `parser`. */
export const parsers = sharedRegistry<AnswerParser>("parser", (registry) => {
  const add = (name: string, description: string, parse: AnswerParser["parse"]) =>
    registry.register(name, { name, description, parse }, { description });

  add("multiple_choice", "the letter of the option that the answer settles on", (text, row) =>
    choiceLetter(text, optionCount(row) ?? 4),
  );
  add("last_number", "the last number, without the commas between its digits", lastNumber);
  add("last_line", "the last line that is not blank, trimmed", lastLine);
  add("boxed", "what the last LaTeX box holds", (text) => {
    const found = boxedContent(text, "last");
    return found === text ? null : found;
  });
  const letters = MULTIPLE_CHOICE_REGEXES.map((source) => pythonPattern(source));
  add("basic::multiple_choice", "Llama Stack: the letter behind `Answer:` and the like", (text) => {
    return firstGroup(letters, text) ?? null;
  });
  const final = pythonPattern(FINAL_ANSWER);
  add("basic::math", "Llama Stack: the boxed final answer, its LaTeX normalised", (text) =>
    finalAnswer(firstAnswer(text), final),
  );
  add("basic::docvqa", "Llama Stack: the text without marks, small words and case", documentAnswer);
});
