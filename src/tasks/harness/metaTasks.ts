import { z } from "zod";
import { readRow, texts } from "../data/readRow.js";
import { ifevalRow } from "../data/rows.js";
import { instructionMetrics } from "../metrics/instructionMetrics.js";
import { exactMatch, extractByPattern } from "../metrics/textMatch.js";
import type { HarnessSpec } from "./harnessSpec.js";

/** The questions and prompts that Meta published with its own evaluations of Llama 3.1. */
const PUBLISHED = { repositories: ["meta-llama/Llama-3.1-8B-Instruct-evals"], splits: { test: "latest" } };
const CONFIG = (task: string) => `Llama-3.1-8B-Instruct-evals__${task}__details`;

const mmluProRow = z.object({
  input_question: z.string(),
  input_final_prompts: texts.refine((prompts) => prompts.length > 0, "expected at least one prompt"),
  input_correct_responses: texts.refine((answers) => answers.length > 0, "expected at least one answer"),
});

const mmluPro: HarnessSpec = {
  ...PUBLISHED,
  name: "meta_mmlu_pro_instruct",
  description: "MMLU-Pro as Meta asks its instructed models: five worked examples are part of the prompt",
  version: "1.0",
  config: CONFIG("mmlu_pro"),
  // The examples stand in the prompt already.
  shotsFixed: true,
  metrics: [
    exactMatch({
      filter: "strict-match",
      extract: extractByPattern(/best answer is ([A-Z])/, "last"),
      ignoreCase: true,
      ignorePunctuation: true,
    }),
  ],
  question(row, place) {
    const read = readRow(mmluProRow, row, { task: "meta_mmlu_pro_instruct", ...place });
    return {
      contexts: [read.input_final_prompts[0]!],
      exampleAnswer: "",
      asks: [{ kind: "generate", stop: [], maxNewTokens: 1024 }],
      gold: read.input_correct_responses[0]!,
    };
  },
};

const ifeval: HarnessSpec = {
  ...PUBLISHED,
  name: "meta_ifeval",
  description: "IFEval as Meta asks its instructed models",
  version: "1.0",
  config: CONFIG("ifeval__strict"),
  shotsFixed: true,
  metrics: instructionMetrics(),
  question(row, place) {
    const { prompt } = readRow(ifevalRow, row, { task: "meta_ifeval", ...place });
    return {
      contexts: [prompt],
      exampleAnswer: "",
      asks: [{ kind: "generate", stop: [], maxNewTokens: 1280 }],
      gold: null,
    };
  },
};

/** Tasks of Llama Stack's recipes for EleutherAI's harness. */
export const metaTasks: readonly HarnessSpec[] = [mmluPro, ifeval];
