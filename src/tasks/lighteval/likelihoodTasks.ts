import { pythonStrip } from "../../base/index.js";
import { readRow } from "../data/readRow.js";
import { arcRow, textRow, truthfulqaRow, wikitextRow, winograndeRow } from "../data/rows.js";
import { choiceAccuracy } from "../metrics/choiceMetrics.js";
import { documentPerplexity, textPerplexities } from "../metrics/perplexity.js";
import { firstIsLikeliest, trueShare, trueUntilFirstFalse } from "../metrics/truthfulness.js";
import { detokenise } from "../texts/detokenise.js";
import { splitLastWord } from "../texts/lastWord.js";
import { truthfulPrompt } from "../texts/truthfulQuestions.js";
import type { LightevalSpec } from "./lightevalSpec.js";

const ALL_SPLITS = ["train", "validation", "test"];

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

/** The tasks of lighteval that ask how likely something is. */
export const likelihoodTasks: readonly LightevalSpec[] = [
  arc("easy"),
  arc("challenge"),
  winogrande,
  lambada({ name: "lambada_standard", ...STANDARD }, false),
  lambada({ name: "lambada_standard_cloze", ...STANDARD }, true),
  lambada({ name: "lambada_openai", ...OPENAI }, false),
  lambada({ name: "lambada_openai_cloze", ...OPENAI }, true),
  truthfulqa,
  wikitext,
];
