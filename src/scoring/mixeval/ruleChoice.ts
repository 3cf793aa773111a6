import { pythonWords } from "../../base/index.js";
import { stripBoth } from "../python/index.js";

/**
 * The letter that MixEval's rule-based parser reads out of an answer; null where it would draw one at random.
 * @param options texts of the options, in the order of their letters
 */
export function ruleChoice(
  response: string,
  letters: readonly string[],
  options: readonly string[],
): string | null {
  const text = ` ${[...",.!?;:'"].reduce((rest, mark) => stripBoth(rest, mark), response)} `;
  const named = first(letters, (letter) =>
    PATTERNS.map((pattern) => text.indexOf(pattern.replace("X", letter))),
  );
  if (named !== null || pythonWords(text).length <= 5) return named;
  const lower = text.toLowerCase();
  return first(letters, (_, place) => [lower.indexOf(options[place]!.toLowerCase())]);
}

const PATTERNS = [
  " X ",
  " X\n",
  "\nX ",
  "\nX\n",
  " X. ",
  " X.\n",
  "\nX. ",
  "\nX.\n",
  "(X)",
  "**X ",
  " X**",
  "**X. ",
  " X.**",
];

/** The letter with the smallest place of all; of equal ones the first. */
function first(
  letters: readonly string[],
  places: (letter: string, place: number) => readonly number[],
): string | null {
  let best: { letter: string; at: number } | null = null;
  for (const [place, letter] of letters.entries()) {
    for (const at of places(letter, place)) {
      if (at >= 0 && (best === null || at < best.at)) best = { letter, at };
    }
  }
  return best?.letter ?? null;
}
