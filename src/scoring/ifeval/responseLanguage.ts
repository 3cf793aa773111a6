import { type Check, filledText, instruction } from "./instruction.js";

/** The response is in the language, an ISO 639-1 code; a text without features passes, as in the original. */
export const responseLanguage = instruction(
  { language: filledText },
  ({ language }, seed) => inLanguage(language, seed),
  ({ language }, seed) => otherLanguageDraws(language, seed),
);

/** A check of the language, after another of the text that costs less. */
export function inLanguage(
  language: string,
  seed: number,
  first: (text: string) => boolean = () => true,
): Check {
  return (response) => {
    if (!first(response.text)) return false;
    const detected = response.language(seed);
    return detected === undefined || detected === language;
  };
}

/** The same check with other seeds. */
export function otherLanguageDraws(
  language: string,
  seed: number,
  first?: (text: string) => boolean,
): Check[] {
  return Array.from({ length: OTHER_SEEDS }, (_, index) => inLanguage(language, seed + index + 1, first));
}

/** Seeds that are tried to find a verdict that hangs on the draw. */
const OTHER_SEEDS = 20;
