/** What is looked for in an answer. */
export type AnswerTarget = LatexTarget | ExpressionTarget | LetterTarget;

/** Formulas in LaTeX, in their brackets or boxes. */
export interface LatexTarget {
  readonly kind: "latex";
  /** Whether formulas without words like "the answer is" in front count. Default true. */
  readonly unanchored?: boolean;
  /** When boxes are looked for: 0 first, 55 behind "the final answer is", -1 never. Default 55. */
  readonly boxedPriority?: number;
}

/** Numbers and sums of them in plain text. */
export interface ExpressionTarget {
  readonly kind: "expression";
  /** As of `LatexTarget`. */
  readonly unanchored?: boolean;
}

/** Letters of choices. */
export interface LetterTarget {
  readonly kind: "letter";
  /** As of `LatexTarget`; but default false, since `A` is a word. */
  readonly unanchored?: boolean;
}

/** A pattern for a place that an answer stands at. Those of a lower number are asked first. */
export interface AnswerPattern {
  readonly pattern: RegExp;
  readonly priority: number;
}
