import { equalMathematics } from "./equalMathematics.js";
import { normalizeLatex } from "./normalizeLatex.js";
import { parseMathematics } from "./parseMathematics.js";

/** How two answers are compared. */
export interface MathematicsOptions {
  /** Decimal places to which numbers are rounded where one of them has a point. Default 6. */
  readonly digits?: number;
  /** Take away boxes, units, fonts and signs of currency first. Default true. */
  readonly normalize?: boolean;
}

/**
 * Whether an answer in LaTeX or plain notation says the same as the right one: `\frac{1}{2}` and `0.5`, `(x+1)^2` and
 * `x^2+2x+1`, `\{1, 2\}` and `2, 1`, `x \in [0, 1)` and `[0,1)`. What cannot be read is compared as text.
 */
export function sameMathematics(right: string, answer: string, options: MathematicsOptions = {}): boolean {
  const { digits = 6, normalize = true } = options;
  const [gold, given] = [right, answer].map((text) => (normalize ? normalizeLatex(text) : text.trim())) as [
    string,
    string,
  ];
  const [one, other] = [parseMathematics(gold), parseMathematics(given)];
  if (one !== undefined && other !== undefined) return equalMathematics(one, other, digits);
  return one === other && gold !== "" && gold === given;
}
