import { pythonStrip } from "../../base/index.js";
import { filledText, instruction } from "./instruction.js";

/** Two different responses parted by six stars; a blank piece may stand only first or last. */
export const twoResponses = instruction({}, () => ({ text }) => {
  const pieces = text.split("******").map(pythonStrip);
  if (pieces.slice(1, -1).includes("")) return false;
  const [one, other, ...more] = pieces.filter((piece) => piece !== "");
  return one !== undefined && other !== undefined && more.length === 0 && one !== other;
});

/** The response begins with the prompt, case and outer white space aside. */
export const repeatPrompt = instruction({ prompt_to_repeat: filledText }, ({ prompt_to_repeat: prompt }) => {
  const asked = pythonStrip(prompt).toLowerCase();
  return ({ trimmed }) => trimmed.toLowerCase().startsWith(asked);
});
