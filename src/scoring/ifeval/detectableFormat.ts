import { pythonStrip } from "../../base/index.js";
import {
  countMatches,
  isPythonJson,
  pythonPattern,
  removePrefix,
  removeSuffix,
  stripBoth,
  stripEnd,
  stripStart,
} from "../python/index.js";
import { filledText, instruction, threshold } from "./instruction.js";

/** Lines that begin with a star which no other follows, and lines that begin with a hyphen. */
export const numberBulletLists = instruction(
  { num_bullets: threshold },
  ({ num_bullets: count }) =>
    ({ text }) =>
      countMatches(text, STAR_BULLET) + countMatches(text, HYPHEN_BULLET) === count,
);

/** One of three answers stands somewhere, in this case. */
export const constrainedResponse = instruction(
  {},
  () =>
    ({ text }) =>
      ANSWERS.some((answer) => text.includes(answer)),
);

/** Two passes, one for single and one for double stars: bold counts once, `***x***` twice, as in the original. */
export const numberHighlightedSections = instruction(
  { num_highlights: threshold },
  ({ num_highlights: limit }) =>
    ({ text }) => {
      const single = (text.match(SINGLE) ?? []).map((match) => stripBoth(match, "*"));
      const double = (text.match(DOUBLE) ?? []).map((match) => removeSuffix(removePrefix(match, "**"), "**"));
      return [...single, ...double].filter((content) => pythonStrip(content) !== "").length >= limit;
    },
);

/** The splitter, a regular expression that minds case, followed by a number. */
export const multipleSections = instruction(
  { section_spliter: filledText, num_sections: threshold },
  ({ section_spliter: splitter, num_sections: limit }) => {
    const pattern = pythonPattern(String.raw`\s?${pythonStrip(splitter)}\s?\d+\s?`);
    return ({ text }) => text.split(pattern).length - 1 >= limit;
  },
);

/** JSON as Python reads it, between code fences or not. */
export const jsonFormat = instruction({}, () => ({ trimmed }) => {
  const unfenced = OPENING_FENCES.reduce(removePrefix, trimmed);
  return isPythonJson(pythonStrip(removeSuffix(unfenced, "```")));
});

/** Something between double angular brackets on one line that is not blank. */
export const title = instruction(
  {},
  () =>
    ({ text }) =>
      (text.match(TITLE) ?? []).some((match) => pythonStrip(stripEnd(stripStart(match, "<"), ">")) !== ""),
);

const STAR_BULLET = pythonPattern(String.raw`^\s*\*[^\*].*$`, { multiline: true });
const HYPHEN_BULLET = pythonPattern(String.raw`^\s*-.*$`, { multiline: true });
const ANSWERS = ["My answer is yes.", "My answer is no.", "My answer is maybe."];
const SINGLE = pythonPattern(String.raw`\*[^\n\*]*\*`);
const DOUBLE = pythonPattern(String.raw`\*\*[^\n\*]*\*\*`);
/** Each is tried once, in this order. */
const OPENING_FENCES = ["```json", "```Json", "```JSON", "```"];
const TITLE = pythonPattern(String.raw`<<[^\n]+>>`);
