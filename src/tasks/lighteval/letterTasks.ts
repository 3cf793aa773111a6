import { pythonStrip } from "../../base/index.js";
import { readRow } from "../data/readRow.js";
import { boolqHelmRow, hellaswagRow, mmluProRow, mmluRow, openbookRow, piqaRow } from "../data/rows.js";
import { letterMatch } from "../metrics/extractiveMatch.js";
import { trimmedMatch } from "../metrics/textMatch.js";
import { MMLU_SUBJECTS, mmluPreamble } from "../mmlu/subjects.js";
import { hellaswagQuestion } from "../texts/hellaswagText.js";
import { LETTERS, lettered } from "../texts/letters.js";
import type { LightevalAsk, LightevalSpec } from "./lightevalSpec.js";

const COMMON_SENSE = "The following are multiple choice questions (with answers) about common sense.\n";
const ALL_SPLITS = ["train", "validation", "test"];

/** Where a letter stands, also of one that no choice has. */
const LETTER_PLACES: readonly string[] = LETTERS.slice(0, 5);

/** A letter is to be written: so many tokens until the line ends. */
const letter = (maxNewTokens: number): LightevalAsk => ({ kind: "generate", stop: ["\n"], maxNewTokens });

const hellaswag: LightevalSpec = {
  name: "hellaswag",
  description: "HellaSwag: how a scene goes on, the letter of an ending is to be written",
  version: "0",
  repositories: ["Rowan/hellaswag"],
  splits: ALL_SPLITS,
  evaluated: ["validation"],
  select: "balanced",
  ask: letter(1),
  metrics: [trimmedMatch()],
  record(row, place) {
    const scene = readRow(hellaswagRow, row, { task: "hellaswag", ...place });
    const instruction = `${COMMON_SENSE}\n`;
    return {
      query: `${instruction}Question: ${hellaswagQuestion(scene)}\n${lettered(scene.endings)}\nAnswer:`,
      choices: LETTERS.slice(0, scene.endings.length).map((one) => ` ${one}`),
      gold: scene.label,
      instruction,
    };
  },
};

/** PIQA; an example answers with a text in one of them and with a letter in the other. */
function piqa(
  init: Pick<LightevalSpec, "name" | "repositories" | "config" | "splits" | "evaluated">,
): LightevalSpec {
  const texts = init.name === "piqa";
  return {
    ...init,
    description: `PIQA: everyday physics, the letter of a solution is to be written${
      texts ? "" : " (validation rows only)"
    }`,
    version: "0",
    select: "balanced",
    ask: letter(1),
    metrics: [trimmedMatch()],
    record(row, place) {
      const { goal, sol1, sol2, label } = readRow(piqaRow, row, { task: init.name, ...place });
      return {
        query: `${COMMON_SENSE}Question: ${goal}\n${lettered([sol1, sol2])}\nAnswer: `,
        choices: texts && place.split === "examples" ? [sol1, sol2] : ["A", "B"],
        gold: label,
        instruction: COMMON_SENSE,
      };
    },
  };
}

const openbookqa: LightevalSpec = {
  name: "openbookqa",
  description: "OpenBookQA: facts of school science applied, the letter of an answer is to be written",
  version: "0",
  repositories: ["allenai/openbookqa"],
  config: "main",
  splits: ALL_SPLITS,
  evaluated: ["validation", "test"],
  select: "balanced",
  ask: letter(1),
  metrics: [trimmedMatch()],
  record(row, place) {
    const { question_stem, choices, answerKey } = readRow(openbookRow, row, { task: "openbookqa", ...place });
    return {
      query: `${COMMON_SENSE}Question: ${question_stem}\n${lettered(choices.text)}\nAnswer: `,
      choices: LETTERS.slice(0, choices.text.length),
      // Letters are looked up by name, whatever names the choices have.
      gold: LETTER_PLACES.indexOf(pythonStrip(answerKey)),
      instruction: COMMON_SENSE,
    };
  },
};

const boolq: LightevalSpec = {
  name: "boolq",
  description: "BoolQ: yes or no about a passage, to be written",
  version: "0",
  repositories: ["lighteval/boolq_helm"],
  splits: ["train", "validation"],
  evaluated: ["validation"],
  select: "balanced",
  ask: letter(5),
  metrics: [trimmedMatch()],
  record(row, place) {
    const { passage, question, answer } = readRow(boolqHelmRow, row, { task: "boolq", ...place });
    const asked = question.endsWith("??") ? question.slice(0, -1) : question;
    return {
      query: `Passage: ${passage}\nQuestion: ${asked}\nAnswer:`,
      choices: [" Yes", " No"],
      gold: answer === "Yes" ? 0 : 1,
    };
  },
};

function mmlu(subject: string): LightevalSpec {
  const name = `mmlu_${subject}`;
  return {
    name,
    description: `MMLU, ${subject.replaceAll("_", " ")}: the letter of an answer is to be written`,
    version: "0",
    repositories: ["lighteval/mmlu", "cais/mmlu"],
    config: subject,
    splits: ["auxiliary_train", "test", "validation", "dev"],
    evaluated: ["test"],
    fewshotSplit: "dev",
    select: "balanced",
    ask: letter(5),
    metrics: [trimmedMatch()],
    record(row, place) {
      const { question, choices, answer } = readRow(mmluRow, row, { task: name, ...place });
      const instruction = mmluPreamble(subject);
      return {
        query: `${instruction}Question: ${question}\n${lettered(choices)}\nAnswer:`,
        choices: LETTERS.slice(0, choices.length).map((one) => ` ${one}`),
        gold: answer,
        instruction,
        sortingClass: choices[answer] ?? "",
      };
    },
  };
}

const mmluPro: LightevalSpec = {
  name: "mmlu_pro",
  description: "MMLU-Pro: the letter that an answer with its reasons comes to",
  version: "0",
  repositories: ["TIGER-Lab/MMLU-Pro"],
  revision: "3373e0b32277875b8db2aa555a333b78a08477ea",
  splits: ["validation", "test"],
  evaluated: ["test"],
  fewshotSplit: "validation",
  select: "balanced",
  ask: { kind: "generate", stop: [], maxNewTokens: 2048 },
  metrics: [letterMatch()],
  record(row, place) {
    const { question, options, answer_index } = readRow(mmluProRow, row, { task: "mmlu_pro", ...place });
    const choices = lettered(options, ": ");
    const query = `Answer the following multiple choice question. The last line of your response should be of the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of ABCD. Think step by step before answering.\n\n${question}\n\n${choices}\n\nAnswer:`;
    // As many letters as the options have characters together, which is in effect all.
    return {
      query,
      choices: LETTERS.slice(0, choices.length),
      gold: answer_index,
      instruction: query,
    };
  },
};

/** The tasks of lighteval in which a letter or a word of choice is to be written. */
export const letterTasks: readonly LightevalSpec[] = [
  hellaswag,
  piqa({
    name: "piqa",
    repositories: ["ybisk/piqa", "baber/piqa"],
    config: "plain_text",
    splits: ["train", "test", "validation"],
    evaluated: ["validation", "test"],
  }),
  piqa({
    name: "piqa_hf",
    repositories: ["gimmaru/piqa"],
    config: "default",
    splits: ["validation"],
    evaluated: ["validation"],
  }),
  openbookqa,
  boolq,
  ...MMLU_SUBJECTS.map(mmlu),
  mmluPro,
];
