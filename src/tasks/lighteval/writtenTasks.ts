import { pythonRightStrip } from "../../base/index.js";
import { readRow } from "../data/readRow.js";
import { gsm8kRow, ifevalRow, squadRow } from "../data/rows.js";
import { numberMatch } from "../metrics/extractiveMatch.js";
import { instructionFacts, instructionMetrics } from "../metrics/instructionMetrics.js";
import { trimmedMatch } from "../metrics/textMatch.js";
import type { LightevalSpec } from "./lightevalSpec.js";

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

const ifeval: LightevalSpec = {
  name: "ifeval",
  description: "IFEval: instructions whose following can be checked",
  version: "0.1",
  repositories: ["google/IFEval"],
  splits: ["train"],
  evaluated: ["train"],
  select: "balanced",
  ask: { kind: "generate", stop: [], maxNewTokens: 1280 },
  metrics: instructionMetrics(),
  facts: instructionFacts,
  record(row, place) {
    const { prompt } = readRow(ifevalRow, row, { task: "ifeval", ...place });
    return { query: prompt, choices: [], gold: [], instruction: "" };
  },
};

/** The tasks of lighteval in which an answer is to be written. */
export const writtenTasks: readonly LightevalSpec[] = [gsm8k, squad, ifeval];
