import { pythonRightStrip, pythonStrip } from "../../base/index.js";
import { readRow } from "../data/readRow.js";
import {
  arcRow,
  boolqHelmRow,
  gsm8kRow,
  hellaswagRow,
  ifevalRow,
  mmluProRow,
  mmluRow,
  openbookRow,
  piqaRow,
  squadRow,
  textRow,
  truthfulqaRow,
  wikitextRow,
  winograndeRow,
} from "../data/rows.js";
import { choiceAccuracy } from "../metrics/choiceMetrics.js";
import { letterMatch, numberMatch } from "../metrics/extractiveMatch.js";
import { instructionMetrics } from "../metrics/instructionMetrics.js";
import { documentPerplexity, textPerplexities } from "../metrics/perplexity.js";
import { trimmedMatch } from "../metrics/textMatch.js";
import { firstIsLikeliest, trueShare, trueUntilFirstFalse } from "../metrics/truthfulness.js";
import { MMLU_SUBJECTS, mmluPreamble } from "../mmlu/subjects.js";
import { detokenise } from "../texts/detokenise.js";
import { hellaswagQuestion } from "../texts/hellaswagText.js";
import { splitLastWord } from "../texts/lastWord.js";
import { LETTERS, lettered } from "../texts/letters.js";
import { truthfulPrompt } from "../texts/truthfulQuestions.js";
import type { LightevalAsk, LightevalSpec } from "./lightevalSpec.js";

const COMMON_SENSE = "The following are multiple choice questions (with answers) about common sense.\n";
const ALL_SPLITS = ["train", "validation", "test"];

/** Where a letter stands, also of one that no choice has. */
const LETTER_PLACES: readonly string[] = LETTERS.slice(0, 5);

/** A letter is to be written: so many tokens until the line ends. */
const letter = (maxNewTokens: number): LightevalAsk => ({ kind: "generate", stop: ["\n"], maxNewTokens });

function arc(subset: "easy" | "challenge"): LightevalSpec {
  const name = `arc_${subset}`;
  return {
    name,
    description: `ARC ${subset}: questions of school science, scored by how likely each answer is`,
    version: "0",
    repositories: ["allenai/ai2_arc"],
    config: subset === "easy" ? "ARC-Easy" : "ARC-Challenge",
    splits: subset === "easy" ? ALL_SPLITS : ["train", "test"],
    evaluated: ["test"],
    select: "random_sampling_from_train",
    ask: { kind: "choices" },
    metrics: [choiceAccuracy("acc")],
    record(row, place) {
      const { question, choices, answerKey } = readRow(arcRow, row, { task: name, ...place });
      return {
        query: `Question: ${question}\nAnswer:`,
        choices: choices.text.map((text) => ` ${text}`),
        gold: choices.label.indexOf(answerKey),
      };
    },
  };
}

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

const winogrande: LightevalSpec = {
  name: "winogrande",
  description: "WinoGrande: whom a sentence means, scored by how likely each option with the end is",
  version: "0",
  repositories: ["allenai/winogrande"],
  config: "winogrande_xl",
  splits: ALL_SPLITS,
  evaluated: ["validation"],
  select: "random_sampling",
  ask: { kind: "choices" },
  metrics: [choiceAccuracy("acc")],
  record(row, place) {
    const { sentence, option1, option2, answer } = readRow(
      winograndeRow.refine(({ sentence }) => sentence.split("_").length === 2, {
        path: ["sentence"],
        message: "expected exactly one blank, written as _",
      }),
      row,
      { task: "winogrande", ...place },
    );
    const [query = "", rest = ""] = sentence.split("_");
    return {
      query,
      choices: [option1, option2].map((option) => `${option} ${pythonStrip(rest)}`),
      gold: answer === -1 ? answer : answer - 1,
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

function lambada(
  init: Pick<LightevalSpec, "name" | "repositories" | "config" | "splits">,
  cloze: boolean,
): LightevalSpec {
  return {
    ...init,
    description: `LAMBADA, the last word of a passage (${init.repositories[0]}${cloze ? ", as a gap" : ""})`,
    version: "0",
    evaluated: ["test"],
    select: "balanced",
    ask: { kind: "choices" },
    metrics: [documentPerplexity("ppl")],
    record(row, place) {
      const { text } = readRow(textRow, row, { task: init.name, ...place });
      const [context, word] = splitLastWord(text);
      return { query: cloze ? `${context} ____. ->` : context, choices: [word], gold: 0 };
    },
  };
}

const OPENAI = { repositories: ["EleutherAI/lambada_openai"], config: "default", splits: ["test"] } as const;
const STANDARD = {
  repositories: ["cimec/lambada", "lambada"],
  config: "plain_text",
  splits: ALL_SPLITS,
} as const;

const gsm8k: LightevalSpec = {
  name: "gsm8k",
  description: "GSM8K: word problems of grade school, the number that an answer comes to",
  version: "0",
  repositories: ["openai/gsm8k"],
  config: "main",
  splits: ["train", "test"],
  evaluated: ["test"],
  select: "random_sampling_from_train",
  ask: { kind: "generate", stop: ["Question:"], maxNewTokens: 256 },
  metrics: [numberMatch()],
  record(row, place) {
    const { question, answer } = readRow(gsm8kRow, row, { task: "gsm8k", ...place });
    return { query: `Question: ${question}\nAnswer:`, choices: [` ${answer}`], gold: 0 };
  },
};

const truthTargets = (row: Parameters<LightevalSpec["record"]>[0]) =>
  readRow(truthfulqaRow, row, { task: "truthfulqa_mc", split: "evaluated", row: 0 });

const truthfulqa: LightevalSpec = {
  name: "truthfulqa_mc",
  description: "TruthfulQA: what is true though often misbelieved, scored by how likely each answer is",
  version: "0",
  repositories: ["truthfulqa/truthful_qa", "truthful_qa"],
  config: "multiple_choice",
  splits: ["validation"],
  evaluated: ["validation"],
  select: "balanced",
  ask: { kind: "choices" },
  metrics: [
    firstIsLikeliest("truthfulqa_mc1", (row) => truthTargets(row).mc1_targets.choices.length),
    trueShare("truthfulqa_mc2", (row) => {
      const { mc1_targets, mc2_targets } = truthTargets(row);
      const labels = trueUntilFirstFalse(mc2_targets.labels.map((label) => label === 1));
      return { from: mc1_targets.choices.length, labels };
    }),
  ],
  record(row, place) {
    const { question, mc1_targets, mc2_targets } = readRow(truthfulqaRow, row, {
      task: "truthfulqa_mc",
      ...place,
    });
    const labels = [...mc1_targets.labels, ...mc2_targets.labels];
    return {
      query: truthfulPrompt(question),
      choices: [...mc1_targets.choices, ...mc2_targets.choices].map((choice) => ` ${choice}`),
      gold: labels.flatMap((label, at) => (label === 1 ? [at] : [])),
    };
  },
};

const wikitext: LightevalSpec = {
  name: "wikitext_103_document_level",
  description: "WikiText-103: how well whole articles are predicted",
  version: "0",
  repositories: ["EleutherAI/wikitext_document_level"],
  config: "wikitext-103-raw-v1",
  splits: ALL_SPLITS,
  evaluated: ["test"],
  select: "balanced",
  ask: { kind: "rolling" },
  metrics: textPerplexities(
    (row) => readRow(wikitextRow, row, { task: "wikitext", split: "evaluated", row: 0 }).page,
    "bootstrap",
  ),
  record(row, place) {
    const { page } = readRow(wikitextRow, row, { task: "wikitext", ...place });
    return { query: detokenise(page), choices: [], gold: [] };
  },
};

const squad: LightevalSpec = {
  name: "squad_v2",
  description: "SQuAD 2.0, the questions that have an answer: one from the passage is to be written",
  version: "1",
  repositories: ["rajpurkar/squad_v2"],
  config: "squad_v2",
  splits: ["train", "validation"],
  evaluated: ["validation"],
  select: "balanced",
  ask: { kind: "generate", stop: ["\n", "Question:", "question:"], maxNewTokens: 200 },
  metrics: [trimmedMatch()],
  record(row, place) {
    const { context, question, answers } = readRow(squadRow, row, { task: "squad_v2", ...place });
    const distinct = [...new Set(answers.text.map((text) => ` ${upperFirst(pythonRightStrip(text))}`))];
    const golds = distinct.filter((text) => text !== " ");
    if (golds.length === 0) return undefined;
    const [about, asked] = [context, question].map((text) => upperFirst(pythonRightStrip(text)));
    return {
      query: `${about}\nQuestion: ${asked}\nAnswer:`,
      choices: golds,
      gold: [...golds.keys()],
    };
  },
};

/** With a capital first letter; the others stay as they are. */
function upperFirst(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** The prompts; answers are judged by the instructions of their row. */
const ifeval: Omit<LightevalSpec, "metrics"> = {
  name: "ifeval",
  description: "IFEval: instructions whose following can be checked",
  version: "0.1",
  repositories: ["google/IFEval"],
  splits: ["train"],
  evaluated: ["train"],
  select: "balanced",
  ask: { kind: "generate", stop: [], maxNewTokens: 1280 },
  record(row, place) {
    const { prompt } = readRow(ifevalRow, row, { task: "ifeval", ...place });
    return { query: prompt, choices: [], gold: [], instruction: "" };
  },
};

/** The tasks of lighteval. */
export const lightevalTasks: readonly LightevalSpec[] = [
  arc("easy"),
  arc("challenge"),
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
  winogrande,
  boolq,
  ...MMLU_SUBJECTS.map(mmlu),
  mmluPro,
  lambada({ name: "lambada_standard", ...STANDARD }, false),
  lambada({ name: "lambada_standard_cloze", ...STANDARD }, true),
  lambada({ name: "lambada_openai", ...OPENAI }, false),
  lambada({ name: "lambada_openai_cloze", ...OPENAI }, true),
  gsm8k,
  truthfulqa,
  wikitext,
  squad,
  { ...ifeval, metrics: instructionMetrics() },
];
