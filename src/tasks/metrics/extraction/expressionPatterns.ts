import type { AnswerPattern, ExpressionTarget } from "./answerTarget.js";
import { ANSWER, ANY, END, FINAL_ANSWER, FINAL_ANSWER_IS } from "./patternParts.js";

/**
 * Where numbers and sums stand. Groups: `expr`, or `integer1` to `integer3`, `decimal1` to `decimal3` and `percent`.
 */
export function expressionPatterns({ unanchored = true }: ExpressionTarget): AnswerPattern[] {
  const anchored: [string, number][] = [
    [`${FINAL_ANSWER_IS}:?\\s*${EITHER}\\.?\\s?I hope`, 0],
    [`${FINAL_ANSWER}${ANY}{0,100}?\\s+is:?${EITHER}`, 50],
    [`${ANSWER}\\s?:(?:${ANY}{0,100}=\\s*|${ANY}{0,50}?)${EITHER}(?!\\s*=)`, 100],
    [`${ANSWER}(?:${ANY}{0,100}=\\s*|${ANY}{0,50}?)${EITHER}(?!\\s*=)`, 200],
  ];
  const plain: [string, number][] = [
    [EXPRESSION, 300],
    [NUMBER, 300],
  ];
  return [...anchored, ...(unanchored ? plain : [])].map(([source, priority]) => ({
    pattern: new RegExp(source, "gu"),
    priority,
  }));
}

const DIGITS =
  "(?:" +
  [
    "(?<integer1>-?\\d{1,3}(?:[ ,]\\d{3})+)(?<decimal1>\\.\\d+)?",
    "(?<integer2>-?\\d+)(?<decimal2>[.,]\\d+)",
    "(?<decimal3>\\.\\d+)",
    "(?<integer3>-?\\d+)",
  ].join("|") +
  ")(?<percent>\\s*(?:%|[Pp]ercent|\\s*[Pp]ercentage|\\s*[Pp]ct))?";
const OPERATORS = "+\\-*×\\/\\^()÷";
const SUM = `(?<expr>-?\\(?-?\\d[\\d.\\s${OPERATORS}]*[${OPERATORS}][\\d.\\s${OPERATORS}]+\\)?)`;
const CURRENCIES = "$€£¥₹₽₪₩₫฿₡₢₣₤₥₦₧₨₭₮₯₰₱₲₳₴₵₶₷₸₺₻₼₾₿";
const BEFORE = "(?:^|\\s|=)(?:\\*\\*)?";
const BEHIND = `(?:\\*\\*)?(?:\\.|,|\\s?:|\\s|\\)|\\$|${END})`;
const EXPRESSION = `(?:${BEFORE}${SUM}${BEHIND})`;
const NUMBER = `(?:${BEFORE}[${CURRENCIES}]?${DIGITS})`;
const EITHER = `(?:${EXPRESSION}|${NUMBER})`;
