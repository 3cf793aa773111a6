import { FIVE_POINT_PROMPT } from "./fivePointPrompt.js";
import { judgeScorer } from "./judgeScorer.js";
import { SIMPLEQA_GRADER } from "./simpleqaGrader.js";

const QUESTION_COLUMNS = ["input_query", "expected_answer", "generated_answer"];

/** Llama Stack's `llm-as-judge::base`: prompt, patterns and kinds of verdict are params. */
export const baseJudge = judgeScorer({
  name: "llm-as-judge::base",
  description: "asks judge_model by prompt_template; judge_score_regexes read the verdict",
  columns: [],
  preset: {},
  aggregations: ["average", "categorical_count"],
});

/**
 * Llama Stack's `llm-as-judge::405b-simpleqa`: OpenAI's grader of SimpleQA, by any model. The verdict is a letter that
 * stands alone or its word; the original's unanchored `(A|B|C)` reads CORRECT and INCORRECT both as C.
 */
export const simpleqaJudge = judgeScorer({
  name: "llm-as-judge::405b-simpleqa",
  description: "SimpleQA's grader: A correct, B incorrect, C not attempted",
  columns: QUESTION_COLUMNS,
  preset: {
    prompt_template: SIMPLEQA_GRADER,
    judge_score_regexes: [
      String.raw`^\W*([ABC])\W*$`,
      String.raw`^\W*([ABC])\s*[:.)\]-]`,
      String.raw`(?i)\b(NOT[_ ]ATTEMPTED|INCORRECT|CORRECT)\b`,
    ],
    categories: { A: 1, B: 0, C: 0 },
    aliases: { CORRECT: "A", INCORRECT: "B", NOT_ATTEMPTED: "C", "NOT ATTEMPTED": "C" },
  },
  aggregations: ["accuracy", "categorical_count"],
});

/**
 * The judge of Llama Stack's first evaluation interface: an integer from 0 to 5 behind `Total rating:`. A number
 * outside, or none, leaves the row unjudged, where the original ended the run.
 */
export const fivePointJudge = judgeScorer({
  name: "llamastack-llm-judge",
  description: "a rating from 0 to 5 of how well the answer fits the expected one",
  columns: QUESTION_COLUMNS,
  preset: {
    prompt_template: FIVE_POINT_PROMPT,
    judge_score_regexes: [
      String.raw`Total rating:\s*\**\s*(\d+)`,
      String.raw`^\s*\**(\d+)\**\s*(?:/\s*5)?\s*$`,
    ],
    range: [0, 5],
  },
  aggregations: ["average"],
  averageName: "avg_judge_score",
});
