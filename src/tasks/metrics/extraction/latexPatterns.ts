import type { AnswerPattern, LatexTarget } from "./answerTarget.js";
import { ANSWER, FINAL_ANSWER, FINAL_ANSWER_IS } from "./patternParts.js";

/** Formulas that "and", "or" and commas connect: the first, and so many more. */
export const MOST_NEXT = 5;

/**
 * Where formulas stand. Groups: of the first `first_latex...` and `first_percent`, of those connected to it `next1_latex...`
 * and so on; of a box without brackets around it `first_latexBoxed`, to the last brace of the text.
 */
export function latexPatterns({ unanchored = true, boxedPriority = 55 }: LatexTarget): AnswerPattern[] {
  const formulas = connected("plain");
  const patterns: [string, number][] = [
    [`${FINAL_ANSWER_IS}:?\\s*${formulas}\\.?\\s?I hope`, 0],
    [`${FINAL_ANSWER}.{0,100}?\\s+is:?\\s*${formulas}`, 50],
    [`${ANSWER}\\s?:.{0,50}?${formulas}`, 100],
    [`${ANSWER}.{0,50}?${formulas}`, 200],
  ];
  if (unanchored) patterns.push([formulas, 300]);
  if (boxedPriority >= 0) {
    patterns.push(
      [connected("boxed"), boxedPriority],
      ["(?<first_latexBoxed>\\\\boxed\\{.+\\})", boxedPriority],
    );
  }
  return patterns.map(([source, priority]) => ({ pattern: new RegExp(source, "gsu"), priority }));
}

type Content = "boxed" | "plain";

function connected(content: Content): string {
  const next = Array.from(
    { length: MOST_NEXT },
    (_, index) => `(?:\\s*(?:and|or|,)\\s*${formula(`next${index + 1}_`, content)})?`,
  );
  return `(?:${formula("first_", content)}${next.join("")})`;
}

/** What may stand between the brackets of a formula, character by character. */
const WITHIN = {
  DisplayDollar: "(?:[^$]|\\$(?!\\$))",
  DisplayBracket: "(?:[^\\\\]|\\\\(?!\\]))",
  InlineDollar: "(?:\\\\[$]|[^\\n$])",
  InlineParenthesis: "(?:[^\\\\\\n]|\\\\(?!\\)))",
  InlineBracket: "[^\\n\\]\\[]",
} as const;

/** What stands around it. */
const AROUND: Readonly<Record<keyof typeof WITHIN, readonly [string, string]>> = {
  DisplayDollar: ["(?<!\\\\)\\$\\$", "(?<!\\\\)\\$\\$"],
  DisplayBracket: ["(?<!\\\\)\\\\\\[", "(?<!\\\\)\\\\\\]"],
  InlineDollar: ["(?<!\\\\|\\d)\\$", "(?<!\\\\)\\$"],
  InlineParenthesis: ["(?<!\\\\)\\\\\\(", "(?<!\\\\)\\\\\\)"],
  InlineBracket: ["\\s\\[", "\\]\\s"],
};

function formula(prefix: string, content: Content): string {
  const kinds = Object.keys(WITHIN) as (keyof typeof WITHIN)[];
  const places = kinds.map((kind) => {
    const one = WITHIN[kind];
    const inner = content === "boxed" ? `${one}*?\\\\boxed\\{${one}+?\\}${one}*?` : `${one}+?`;
    const [open, close] = AROUND[kind];
    return `${open}(?<${prefix}latex${kind}>${inner})${close}`;
  });
  if (content === "plain") {
    const number = "-?\\d+(?:[.,]\\d+)?";
    places.push(`(?<${prefix}latexFraction>-?\\\\frac\\{${number}\\}\\{${number}\\})`);
  }
  return `(?:(?:${places.join("|")})\\s*(?<${prefix}percent>(?:\\\\?%|[Pp]ercent|[Pp]ercentage|[Pp]ct))?)`;
}
