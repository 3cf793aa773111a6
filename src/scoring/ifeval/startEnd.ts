import { pythonStrip } from "../../base/index.js";
import { stripBoth } from "../python/index.js";
import { filledText, instruction } from "./instruction.js";

/** The response ends with the phrase, case and double quotes at its ends aside. */
export const endChecker = instruction({ end_phrase: filledText }, ({ end_phrase: phrase }) => {
  const asked = pythonStrip(phrase).toLowerCase();
  return ({ trimmed }) => stripBoth(trimmed, '"').toLowerCase().endsWith(asked);
});

/** The response stands between two double quotes. */
export const quotation = instruction(
  {},
  () =>
    ({ trimmed }) =>
      trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"'),
);
