import { pythonStrip } from "../../base/index.js";
import { countMatches, isFound, pythonPattern } from "../python/index.js";
import { filledText, instruction, threshold } from "./instruction.js";

/** Placeholders are the shortest pairs of square brackets on one line, empty ones too. */
export const numberPlaceholders = instruction(
  { num_placeholders: threshold },
  ({ num_placeholders: limit }) =>
    ({ text }) =>
      countMatches(text, PLACEHOLDER) >= limit,
);

/** The marker, compared in lower case, stands anywhere; two markers allow blanks, any other is a regular expression. */
export const postscript = instruction({ postscript_marker: filledText }, ({ postscript_marker: given }) => {
  const marker = pythonStrip(given);
  const pattern =
    KNOWN_MARKERS.get(marker) ??
    pythonPattern(String.raw`\s*${marker.toLowerCase()}.*$`, { multiline: true });
  return ({ text }) => isFound(text.toLowerCase(), pattern);
});

const PLACEHOLDER = pythonPattern(String.raw`\[.*?\]`);
const KNOWN_MARKERS: ReadonlyMap<string, RegExp> = new Map([
  ["P.P.S", pythonPattern(String.raw`\s*p\.\s?p\.\s?s.*$`, { multiline: true })],
  ["P.S.", pythonPattern(String.raw`\s*p\.\s?s\..*$`, { multiline: true })],
]);
