import { readRow } from "../data/readRow.js";
import { boolqRow, gsm8kRow, mmluRow, truthfulqaRow } from "../data/rows.js";
import { choiceAccuracy } from "../metrics/choiceMetrics.js";
import { documentPerplexity } from "../metrics/perplexity.js";
import { exactMatch, extractByPattern } from "../metrics/textMatch.js";
import { firstIsLikeliest, trueShare, trueUntilFirstFalse } from "../metrics/truthfulness.js";
import { MMLU_SUBJECTS } from "../mmlu/subjects.js";
import { lettered } from "../texts/letters.js";
import { truthfulPrompt } from "../texts/truthfulQuestions.js";
import { choiceQuestion } from "./choiceQuestion.js";
import { choiceTasks } from "./choiceTasks.js";
import type { HarnessSpec } from "./harnessSpec.js";
import { mmluTasks } from "./mmluTasks.js";
import { textTasks } from "./textTasks.js";

const SINCE = [...choiceTasks, ...mmluTasks, ...textTasks];

/** A task of today with what was different then. */
function then(name: string, changes: Partial<HarnessSpec> = {}): HarnessSpec {
  const today = SINCE.find((spec) => spec.name === name)!;
  return {
    ...today,
    description: `${today.description}; as the first harness did it`,
    version: "v0",
    ...changes,
  };
}

/** Each document was asked twice: for the likelihood and for the greedy flag. */
function lambada(name: string): HarnessSpec {
  const { question, splits } = then(name);
  return then(name, {
    splits: { test: splits.test! },
    metrics: [
      documentPerplexity("ppl"),
      { ...choiceAccuracy("acc"), score: (_, { scores }) => Number(scores[1]!.greedy) },
    ],
    question(row, place) {
      const asked = question(row, place);
      const [word = ""] = asked.choices ?? [];
      return { ...asked, asks: [{ kind: "texts", continuations: [word, word] }] };
    },
  });
}

/** The texts of the choices were scored, not their letters. */
function mmlu(subject: string): HarnessSpec {
  const name = `mmlu_${subject}`;
  return then(name, {
    sampler: "random",
    rules: {},
    metrics: [choiceAccuracy("acc"), choiceAccuracy("acc_norm", "characters")],
    question(row, place) {
      const { question, choices, answer } = readRow(mmluRow, row, { task: name, ...place });
      return choiceQuestion(
        `Question: ${question}\nChoices:\n${lettered(choices)}\nAnswer:`,
        choices,
        answer,
      );
    },
  });
}

const boolq = then("boolq", {
  version: "v1",
  question(row, place) {
    const { passage, question, label } = readRow(boolqRow, row, { task: "boolq", ...place });
    return choiceQuestion(`${passage}\nQuestion: ${question}?\nAnswer:`, ["yes", "no"], 1 - label);
  },
});

/** Both lists of choices in one task. */
const truthfulqa: HarnessSpec = {
  ...then("truthfulqa_mc1"),
  name: "truthfulqa_mc",
  version: "v1",
  metrics: [
    firstIsLikeliest("mc1", (row) => truthTargets(row).mc1_targets.choices.length),
    trueShare("mc2", (row) => {
      const { mc1_targets, mc2_targets } = truthTargets(row);
      const labels = trueUntilFirstFalse(mc2_targets.labels.map((label) => label === 1));
      return { from: mc1_targets.choices.length, labels };
    }),
  ],
  question(row, place) {
    const { question, mc1_targets, mc2_targets } = readRow(truthfulqaRow, row, {
      task: "truthfulqa_mc",
      ...place,
    });
    const choices = [...mc1_targets.choices, ...mc2_targets.choices];
    return choiceQuestion(truthfulPrompt(question), choices, 0);
  },
};

function truthTargets(row: Parameters<HarnessSpec["question"]>[0]) {
  return readRow(truthfulqaRow, row, { task: "truthfulqa_mc", split: "evaluated", row: 0 });
}

const gsm8k = then("gsm8k", {
  shots: 0,
  splits: { training: "train", test: "test" },
  metrics: [
    exactMatch({
      name: "acc",
      extract: (text) => NUMBER(text).replaceAll(",", ""),
      ignore: [/[\s\S]*#### /g, /,/g],
    }),
  ],
  question(row, place) {
    const { question, answer } = readRow(gsm8kRow, row, { task: "gsm8k", ...place });
    return {
      contexts: [`Question: ${question}\nAnswer:`],
      exampleAnswer: answer,
      asks: [{ kind: "generate", stop: ["\n"], maxNewTokens: 256 }],
      gold: answer,
    };
  },
});
const NUMBER = extractByPattern(/#### (-?[0-9.,]+)/, "first");

/** The tasks of the harness before its YAML files, whose requests it keeps hashes of. */
export const oldTasks: readonly HarnessSpec[] = [
  ...["arc_easy", "arc_challenge", "openbookqa", "piqa", "hellaswag", "winogrande"].map((name) => then(name)),
  ...["lambada_openai", "lambada_standard"].map(lambada),
  ...MMLU_SUBJECTS.map(mmlu),
  boolq,
  truthfulqa,
  then("wikitext", { version: "v1" }),
  gsm8k,
];
