import { PYTHON_SPACE } from "../../base/index.js";

/** Undoes the tokenisation of WikiText, in the steps and the order of EleutherAI's harness. */
export function detokenise(page: string): string {
  return STEPS.reduce((text, [from, to]) => text.replaceAll(from, to), page);
}

const S = `[${PYTHON_SPACE}]*`;
const pair = (open: string, close: string, inside: string) =>
  new RegExp(`${open}${S}(${inside}*?)${S}${close}`, "g");

const STEPS: readonly (readonly [from: string | RegExp, to: string])[] = [
  ["s '", "s'"],
  [/\/' [0-9]\//g, "/'[0-9]/"],
  [" @-@ ", "-"],
  [" @,@ ", ","],
  [" @.@ ", "."],
  [" : ", ": "],
  [" ; ", "; "],
  [" . ", ". "],
  [" ! ", "! "],
  [" ? ", "? "],
  [" , ", ", "],
  [pair("\\(", "\\)", "[^\\)]"), "($1)"],
  [pair("\\[", "\\]", "[^\\]]"), "[$1]"],
  [pair("\\{", "\\}", "[^}]"), "{$1}"],
  [pair('"', '"', '[^"]'), '"$1"'],
  [pair("'", "'", "[^']"), "'$1'"],
  ["= = = =", "===="],
  ["= = =", "==="],
  ["= =", "=="],
  [" \u00b0 ", "\u00b0"],
  [" \n", "\n"],
  ["\n ", "\n"],
  [" N ", " 1 "],
  [" 's", "'s"],
];
