import type { ScorerRow } from "../scorer.js";

/** Picks the answer out of a text, so that it can be compared. */
export interface AnswerParser {
  readonly name: string;
  /** One line for `elenchus list parsers`. */
  readonly description: string;
  /**
   * @param row the answer's row, for what it says of the options
   * @returns null where the text holds no answer
   */
  parse(text: string, row: ScorerRow): string | null;
}
