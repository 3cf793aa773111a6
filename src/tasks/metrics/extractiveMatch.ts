import { equalMathematics } from "../../scoring/index.js";
import type { AnswerTarget } from "./extraction/answerTarget.js";
import { type Extracted, extractAnswers } from "./extraction/extractAnswers.js";
import { meanMetric } from "./meanMetric.js";
import type { Metric } from "./metric.js";
import { goldChoices } from "./textMatch.js";

/** What is looked for, and how it is compared. */
export interface ExtractiveMatchInit {
  /** Default `extractive_match`. */
  readonly name?: string;
  /** What the right texts hold. */
  readonly gold: readonly AnswerTarget[];
  /** What answers may hold. */
  readonly answer: readonly AnswerTarget[];
  /** Decimal places that numbers with a point are compared to. Default 6. */
  readonly digits?: number;
  /** Whether places that cannot be read count by their text. Default true. */
  readonly fallback?: boolean;
  /** Whether only the first place is tried. Default false. */
  readonly firstOnly?: boolean;
}

/**
 * Whether what an answer comes to is what one of the right texts comes to: letters, numbers, formulas, sets, intervals
 * (`MultilingualExtractiveMatchMetric` of lighteval, in English).
 */
export function extractiveMatch(init: ExtractiveMatchInit): Metric {
  const { name = "extractive_match", gold, answer, digits = 6, ...how } = init;
  return meanMetric({
    name,
    score(document, { generations }) {
      const options = { ...how, choices: document.choices.length };
      const golds = goldChoices(document);
      let right = golds.map((text) => extractAnswers(text, { ...options, targets: gold }));
      // A right text that holds nothing that was looked for stands for itself.
      if (right.some(({ length }) => length === 0)) right = golds.map((text) => [text]);
      const given = extractAnswers(generations[0]!.text, { ...options, targets: answer });
      return Number(right.flat().some((one) => given.some((other) => equal(one, other, digits))));
    },
  });
}

function equal(right: Extracted, answer: Extracted, digits: number): boolean {
  if (typeof right !== "string" && typeof answer !== "string") return equalMathematics(right, answer, digits);
  if (typeof right !== "string" || typeof answer !== "string") return false;
  return right.trim() !== "" && right.trim() === answer.trim();
}

/** Whether the number or formula that an answer comes to is the number of the right text (`expr_gold_metric`). */
export function numberMatch(): Metric {
  return extractiveMatch({
    gold: [{ kind: "expression" }],
    answer: [{ kind: "expression" }, { kind: "latex", boxedPriority: 0 }],
    digits: 5,
  });
}

/** Whether formulas, numbers or lists of them are those of the right text (the metric of MATH and AIME). */
export function formulaMatch(): Metric {
  const targets: AnswerTarget[] = [{ kind: "expression" }, { kind: "latex" }];
  return extractiveMatch({ gold: targets, answer: targets });
}

/** Whether the letter that an answer comes to is that of the right choice (`gpqa_instruct_metric`). */
export function letterMatch(): Metric {
  const targets: AnswerTarget[] = [{ kind: "letter", unanchored: true }];
  return extractiveMatch({ gold: targets, answer: targets });
}
