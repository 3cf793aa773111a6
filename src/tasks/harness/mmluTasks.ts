import { pythonStrip } from "../../base/index.js";
import { readRow } from "../data/readRow.js";
import { mmluProRow, mmluRow } from "../data/rows.js";
import { choiceAccuracy } from "../metrics/choiceMetrics.js";
import { exactMatch, extractByPattern } from "../metrics/textMatch.js";
import { MMLU_PRO_CATEGORIES, MMLU_SUBJECTS, mmluPreamble } from "../mmlu/subjects.js";
import { LETTERS, lettered } from "../texts/letters.js";
import { choiceQuestion } from "./choiceQuestion.js";
import type { HarnessSpec } from "./harnessSpec.js";

/** One subject of MMLU: the letter of the right choice. */
function mmlu(subject: string): HarnessSpec {
  const name = `mmlu_${subject}`;
  return {
    name,
    description: `MMLU, ${subject.replaceAll("_", " ")}: scored by how likely each letter is`,
    version: "1",
    repositories: ["cais/mmlu", "lighteval/mmlu"],
    config: subject,
    splits: { fewshot: "dev", test: "test" },
    sampler: "first",
    rules: { preamble: () => mmluPreamble(subject) },
    metrics: [choiceAccuracy("acc")],
    question(row, place) {
      const { question, choices, answer } = readRow(mmluRow, row, { task: name, ...place });
      const text = `${pythonStrip(question)}\n${lettered(choices)}\nAnswer:`;
      return choiceQuestion(text, LETTERS.slice(0, choices.length), answer);
    },
  };
}

/** One category of MMLU-Pro: the model reasons, then names a letter. */
function mmluPro(category: string): HarnessSpec {
  const name = `mmlu_pro_${category.replaceAll(" ", "_")}`;
  return {
    name,
    description: `MMLU-Pro, ${category}: the letter that an answer with its reasons comes to`,
    version: "3.1",
    repositories: ["TIGER-Lab/MMLU-Pro"],
    splits: { validation: "validation", test: "test", fewshot: "validation" },
    shots: 5,
    sampler: "first",
    rules: {
      preamble: () =>
        `The following are multiple choice questions (with answers) about ${category}. Think step by step and then finish your answer with "the answer is (X)" where X is the correct letter choice.\n`,
    },
    belongs: (row) => row.category === category,
    metrics: [
      exactMatch({
        filter: "custom-extract",
        extract: extractByPattern(/answer is \(?([ABCDEFGHIJ])\)?/, "first"),
        ignoreCase: true,
        ignorePunctuation: true,
      }),
    ],
    question(row, place) {
      const { question, options, answer, cot_content } = readRow(mmluProRow, row, { task: name, ...place });
      const choices = lettered(options.map(pythonStrip));
      return {
        contexts: [`Question:\n${question}\nOptions:\n${choices}\nAnswer: Let's think step by step.`],
        exampleAnswer: cot_content.replace("A: Let's think step by step. ", ""),
        asks: [{ kind: "generate", stop: ["Question:"], maxNewTokens: 2048 }],
        gold: answer,
        choices: options,
      };
    },
  };
}

/** MMLU subject by subject, MMLU-Pro category by category. */
export const mmluTasks: readonly HarnessSpec[] = [
  ...MMLU_SUBJECTS.map(mmlu),
  ...MMLU_PRO_CATEGORIES.map(mmluPro),
];
