import { pythonLeftStrip, pythonStrip } from "../../base/index.js";
import { readRow } from "../data/readRow.js";
import {
  arcRow,
  boolqRow,
  hellaswagRow,
  openbookRow,
  piqaRow,
  truthfulqaRow,
  winograndeRow,
} from "../data/rows.js";
import { choiceAccuracy } from "../metrics/choiceMetrics.js";
import { trueShare } from "../metrics/truthfulness.js";
import { cleanHellaswag, hellaswagQuestion } from "../texts/hellaswagText.js";
import { truthfulPrompt } from "../texts/truthfulQuestions.js";
import { choiceQuestion } from "./choiceQuestion.js";
import type { HarnessSpec } from "./harnessSpec.js";

const ACCURACIES = [choiceAccuracy("acc"), choiceAccuracy("acc_norm", "characters")];

function arc(name: string, config: string, title: string): HarnessSpec {
  return {
    name,
    description: `${title}: questions of school science, scored by how likely each answer is`,
    version: "1",
    repositories: ["allenai/ai2_arc"],
    config,
    splits: { training: "train", validation: "validation", test: "test" },
    metrics: ACCURACIES,
    question(row, place) {
      const { question, choices, answerKey } = readRow(arcRow, row, { task: name, ...place });
      return choiceQuestion(`Question: ${question}\nAnswer:`, choices.text, choices.label.indexOf(answerKey));
    },
  };
}

const openbookqa: HarnessSpec = {
  name: "openbookqa",
  description: "OpenBookQA: facts of school science applied, scored by how likely each answer is",
  version: "1",
  repositories: ["allenai/openbookqa"],
  config: "main",
  splits: { training: "train", validation: "validation", test: "test" },
  metrics: ACCURACIES,
  question(row, place) {
    const { question_stem, choices, answerKey } = readRow(openbookRow, row, { task: "openbookqa", ...place });
    return choiceQuestion(question_stem, choices.text, choices.label.indexOf(pythonLeftStrip(answerKey)));
  },
};

const piqa: HarnessSpec = {
  name: "piqa",
  description: "PIQA: everyday physics, scored by how likely each solution is",
  version: "1",
  repositories: ["baber/piqa", "ybisk/piqa", "gimmaru/piqa"],
  splits: { training: "train", validation: "validation" },
  metrics: ACCURACIES,
  question(row, place) {
    const { goal, sol1, sol2, label } = readRow(piqaRow, row, { task: "piqa", ...place });
    return choiceQuestion(`Question: ${goal}\nAnswer:`, [sol1, sol2], label);
  },
};

const hellaswag: HarnessSpec = {
  name: "hellaswag",
  description: "HellaSwag: how a scene goes on, scored by how likely each ending is",
  version: "1",
  repositories: ["Rowan/hellaswag"],
  splits: { training: "train", validation: "validation" },
  metrics: ACCURACIES,
  question(row, place) {
    const scene = readRow(hellaswagRow, row, { task: "hellaswag", ...place });
    const endings = scene.endings.map(cleanHellaswag);
    return choiceQuestion(cleanHellaswag(hellaswagQuestion(scene)), endings, scene.label);
  },
};

const winogrande: HarnessSpec = {
  name: "winogrande",
  description: "WinoGrande: whom a sentence means, scored by how likely its end is after each option",
  version: "1",
  repositories: ["allenai/winogrande"],
  config: "winogrande_xl",
  splits: { training: "train", validation: "validation" },
  metrics: [choiceAccuracy("acc")],
  question(row, place) {
    const { sentence, option1, option2, answer } = readRow(winograndeRow, row, {
      task: "winogrande",
      ...place,
    });
    const blank = sentence.indexOf("_");
    const rest = pythonStrip(sentence.slice(blank + 1));
    const contexts = [option1, option2].map((option) => sentence.slice(0, blank) + option);
    const gold = answer - 1;
    return {
      contexts,
      exampleContext: contexts[gold] ?? contexts[0]!,
      exampleAnswer: rest,
      asks: [{ kind: "choices", choices: [rest] }],
      gold,
      choices: [option1, option2],
    };
  },
};

const boolq: HarnessSpec = {
  name: "boolq",
  description: "BoolQ: yes or no about a passage, scored by how likely each is",
  version: "2",
  repositories: ["aps/super_glue"],
  config: "boolq",
  splits: { training: "train", validation: "validation" },
  metrics: [choiceAccuracy("acc")],
  question(row, place) {
    const { passage, question, label } = readRow(boolqRow, row, { task: "boolq", ...place });
    return choiceQuestion(`${passage}\nQuestion: ${question}?\nAnswer:`, ["no", "yes"], label);
  },
};

/** Of its two lists of choices the first has one true answer, which comes first, and the second several. */
function truthfulqa(part: "mc1" | "mc2"): HarnessSpec {
  const name = `truthfulqa_${part}`;
  return {
    name,
    description: `TruthfulQA: what is true though often misbelieved, ${
      part === "mc1" ? "one true answer of several" : "the probability of all true answers"
    }`,
    version: part === "mc1" ? "2" : "3",
    repositories: ["truthfulqa/truthful_qa", "truthful_qa"],
    config: "multiple_choice",
    splits: { validation: "validation" },
    shotsFixed: true,
    metrics: [
      part === "mc1"
        ? choiceAccuracy("acc")
        : trueShare("acc", (row) => {
            const { mc2_targets } = readRow(truthfulqaRow, row, { task: name, split: "evaluated", row: 0 });
            return { from: 0, labels: mc2_targets.labels.map((one) => one === 1) };
          }),
    ],
    question(row, place) {
      const read = readRow(truthfulqaRow, row, { task: name, ...place });
      const { choices, labels } = part === "mc1" ? read.mc1_targets : read.mc2_targets;
      const right = labels.flatMap((one, at) => (one === 1 ? [at] : []));
      const question = choiceQuestion(truthfulPrompt(read.question), choices, 0);
      return part === "mc1" ? question : { ...question, gold: right };
    },
  };
}

/** The multiple-choice tasks of the harness but MMLU's. */
export const choiceTasks: readonly HarnessSpec[] = [
  arc("arc_easy", "ARC-Easy", "ARC Easy"),
  arc("arc_challenge", "ARC-Challenge", "ARC Challenge"),
  openbookqa,
  piqa,
  hellaswag,
  winogrande,
  boolq,
  truthfulqa("mc1"),
  truthfulqa("mc2"),
];
