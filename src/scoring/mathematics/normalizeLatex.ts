import { boxedContent } from "./boxedContent.js";

/**
 * Takes from LaTeX what an answer does not depend on: boxes, signs of currency, fonts, units, sizes of brackets; mends
 * `\frac12`, `\sqrt3` and the like. The steps and their order are those of latex2sympy2_extended's `normalize_latex`
 * (MIT), whose patterns decide what an answer is taken for.
 *
 * @param boxes `last`: of several boxes only those at the end that stand in one list
 */
export function normalizeLatex(latex: string, boxes: "all" | "last" = "all"): string {
  let text = boxedContent(latex, boxes);
  text = text
    .replaceAll("\\mathrm{T}", "T")
    .replaceAll("\\mathrm{d}", "d")
    .replaceAll("{\\rm d}", "d")
    .replaceAll("\\left[\\begin{matrix}", "\\begin{bmatrix}")
    .replaceAll("\\end{matrix}\\right]", "\\end{bmatrix}")
    .replace(LEFT, "$1")
    .replace(RIGHT, "$1")
    .replace(PERMUTATION, "\\frac{($1)!}{(($1)-($2))!}")
    .replace(REMOVED, "")
    .replace(REPLACED, (...found) => {
      const groups = found.at(-1) as Record<string, string | undefined>;
      const name = Object.keys(groups).find((key) => groups[key] !== undefined)!;
      return REPLACEMENTS.find(([one]) => one === name)![2];
    })
    .replace(/[\n\t]/g, " ");
  if (!text.includes("matrix")) text = text.replace(/\\\\(?=[a-zA-Z])/g, "\\");
  if (!/[,;]/.test(text)) {
    const parts = text.split(/(?<![\\<!>])=/);
    if (parts.length > 2) text = parts.at(-1)!;
  }
  text = withoutUnits(text);
  if (text.startsWith(".")) text = `0${text}`;
  return mended(text === "0.5" ? "\\frac{1}{2}" : text).trim();
}

const LEFT =
  /\\m?left(\\\{|\{|\\\||\||\[|\(|\\rbracl|\\lgroup|\\lbrace|\\lbrack|\\vert|\\lvert|\\lceil|\\lfloor|\\langle|\\llcorner|\\ulcorner)/g;
const RIGHT =
  /\\m?right(\\\}|\}|\\\||\||\]|\)|\\rbrack|\\rgroup|\\rbrace|\\vert|\\rvert|\\rceil|\\rfloor|\\rangle|\\lrcorner|\\urcorner)/g;
const PERMUTATION = /\(([a-zA-Z0-9+\-*/\\ ]+?)\)_\{([a-zA-Z0-9+\-*/\\ ]+?)\}/g;
const REMOVED = /\\mathrm\{th\}|\\!\s*|\\text\s*\{\s*\}|\\\$|\$|(?<!\\)["']|\\displaystyle/g;

/** Name, pattern, and what stands in its place; at each place the first that fits. */
const REPLACEMENTS: readonly (readonly [string, string, string])[] = [
  ["math", "\\\\math(?:rm|it|bf)", "\\text"],
  ["text", "\\\\text(?:normal|bf|it|rm)", "\\text"],
  ["frac", "\\\\(?:d|t|c)frac", "\\frac"],
  ["decimal_space", "\\s\\.", " 0."],
  ["decimal_brace", "\\{\\.", "{0."],
  ["approx", "~=", "\\approx"],
  ["comma", "\\s*\\{\\s*,\\s*\\}", ","],
  ["and_or", "(?<![\\p{L}\\p{N}_])(?:and|or)(?![\\p{L}\\p{N}_])", ";"],
  ["and_or_text", "\\\\text\\{\\s*(?:and|or)\\s*\\}", ";"],
  ["backslash_space", "(?<!\\\\)\\\\\\s", " "],
  ["infinity", "infinity", "\\infty"],
  ["dot", ",?\\\\ldots", " "],
  ["percent", "\\s*percent", "\\\\%"],
  ["percent_in_text", "\\\\text\\{percent\\}", "\\\\%"],
  ["inf", "(?<!\\\\)inf(?!inity)", "\\infty"],
  ["sqrt", " sqrt", "\\sqrt"],
];
const REPLACED = new RegExp(REPLACEMENTS.map(([name, pattern]) => `(?<${name}>${pattern})`).join("|"), "gu");

/** Without a text at the end, which is the unit, and its power. Of units in words only one is ever found. */
function withoutUnits(latex: string): string {
  const shorter = latex.replace(/(\\(?:text|mbox)\{.*?\})(\^\d|\{\^\d\})?$/, "").trim();
  const text = (shorter === "" ? latex : shorter).replace(/ m east(?:s|es)?(?:$|[^\p{L}\p{N}_])/gu, "");
  return text.replace(/\\text\s*\{\s*\}/g, " ");
}

const MENDED: readonly (readonly [RegExp, string])[] = [
  [/\^\s?\((.*?)\)/g, "^{$1}"],
  [/sqrt\s?\((.*?)\)/g, "\\sqrt{$1}"],
  [/\\frac\s?(\d)\s?(\d+)/g, "\\frac{$1}{$2}"],
  [/\\log_\s?(\d)\s?(\d+)/g, "\\log_{$1}{$2}"],
  [/\\frac\s?\{(.*?)\}\s?(\d)/g, "\\frac{$1}{$2}"],
  [/\\frac\s?(\d)\s?\{(.*?)\}/g, "\\frac{$1}{$2}"],
  [/\\sqrt\s?(\d)/g, "\\sqrt{$1}"],
];

function mended(latex: string): string {
  let text = latex;
  for (const [pattern, replacement] of MENDED) text = text.replace(pattern, replacement);
  text = text.replaceAll(" sqrt", "\\sqrt");
  text = text.replace(/\\sqrt\s*([^{[\s])/g, "\\sqrt{$1}");
  text = text.replace(/\\frac\s*(?:([^{\s])(\{|[^{])|(?=\{))/g, (_, over?: string, under?: string) => {
    if (over === undefined) return "\\frac";
    return under === "{" ? `\\frac{${over}}{` : `\\frac{${over}}{${under}}`;
  });
  return text.replace(/^(-?\d+)\/(-?\d+)$/, "\\frac{$1}{$2}");
}
