import { readRow } from "../data/readRow.js";
import { gsm8kRow, ifevalRow, textRow, titledSquadRow, wikitextRow } from "../data/rows.js";
import { instructionFacts, instructionMetrics } from "../metrics/instructionMetrics.js";
import { documentPerplexity, greedyAccuracy, textPerplexities } from "../metrics/perplexity.js";
import { squadMetrics } from "../metrics/squad.js";
import { exactMatch, extractByPattern, type MatchRules } from "../metrics/textMatch.js";
import { detokenise } from "../texts/detokenise.js";
import { splitLastWord } from "../texts/lastWord.js";
import type { HarnessSpec, HarnessSplits } from "./harnessSpec.js";

/** What both of LAMBADA's texts have in common; `cloze` puts a gap behind the context. */
function lambada(init: {
  name: string;
  repositories: readonly string[];
  config: string;
  splits: HarnessSplits;
  cloze?: boolean;
}): HarnessSpec {
  const { cloze = false, ...rest } = init;
  return {
    ...rest,
    description: `LAMBADA, the last word of a passage (${init.repositories[0]}${cloze ? ", as a gap" : ""})`,
    version: "1",
    metrics: [documentPerplexity("perplexity"), greedyAccuracy("acc")],
    question(row, place) {
      const { text } = readRow(textRow, row, { task: init.name, ...place });
      const [context, word] = splitLastWord(text);
      return {
        contexts: [cloze ? `${context} ____. ->` : context],
        // The word brings its blank along, and an example shows it behind the delimiter's.
        exampleAnswer: word,
        asks: [{ kind: "texts", continuations: [word] }],
        gold: 0,
        choices: [word],
      };
    },
  };
}

const OPENAI = {
  repositories: ["EleutherAI/lambada_openai"],
  config: "default",
  splits: { test: "test" },
} as const;
const STANDARD = {
  repositories: ["cimec/lambada", "lambada"],
  config: "plain_text",
  splits: { validation: "validation", test: "test" },
} as const;

const wikitext: HarnessSpec = {
  name: "wikitext",
  description: "WikiText-2: how well whole articles are predicted",
  version: "2",
  repositories: ["EleutherAI/wikitext_document_level"],
  config: "wikitext-2-raw-v1",
  splits: { training: "train", validation: "validation", test: "test" },
  shotsFixed: true,
  metrics: textPerplexities(
    (row) => readRow(wikitextRow, row, { task: "wikitext", split: "evaluated", row: 0 }).page,
    "none",
  ),
  question(row, place) {
    const { page } = readRow(wikitextRow, row, { task: "wikitext", ...place });
    return { contexts: [detokenise(page)], exampleAnswer: "", asks: [{ kind: "rolling" }], gold: null };
  },
};

/** What is deleted from numbers before they are compared; a `$` of Python also stands before a last line end. */
const GSM8K_MATCH: MatchRules = {
  ignore: [/,/g, /\$/g, /[\s\S]*#### /g, /\.(?=\n?$)/g],
  ignoreCase: true,
};

const gsm8k: HarnessSpec = {
  name: "gsm8k",
  description: "GSM8K: word problems of grade school, the number that an answer comes to",
  version: "3",
  repositories: ["openai/gsm8k"],
  config: "main",
  splits: { training: "train", test: "test", fewshot: "train" },
  shots: 5,
  metrics: [
    exactMatch({
      filter: "strict-match",
      extract: extractByPattern(/#### (-?[0-9.,]+)/, "first"),
      ...GSM8K_MATCH,
    }),
    exactMatch({
      filter: "flexible-extract",
      extract: extractByPattern(/(-?[$0-9.,]{2,})|(-?[0-9]+)/, "last"),
      ...GSM8K_MATCH,
    }),
  ],
  question(row, place) {
    const { question, answer } = readRow(gsm8kRow, row, { task: "gsm8k", ...place });
    return {
      contexts: [`Question: ${question}\nAnswer:`],
      exampleAnswer: answer,
      asks: [{ kind: "generate", stop: ["Question:", "</s>", "<|im_end|>"], maxNewTokens: 256 }],
      gold: answer,
    };
  },
};

const squadv2: HarnessSpec = {
  name: "squadv2",
  description: "SQuAD 2.0: an answer from a passage, or that it has none",
  version: "3",
  repositories: ["lighteval/squad_v2", "rajpurkar/squad_v2"],
  config: "squad_v2",
  splits: { training: "train", validation: "validation" },
  metrics: squadMetrics(),
  question(row, place) {
    const { title, context, question, answers } = readRow(titledSquadRow, row, {
      task: "squadv2",
      ...place,
    });
    return {
      contexts: [`Title: ${title}\n\nBackground: ${context}\n\nQuestion: ${question}\n\nAnswer:`],
      // The answer brings its blank along, and an example shows it behind the delimiter's.
      exampleAnswer: ` ${answers.text[0] ?? "unanswerable"}`,
      asks: [
        { kind: "generate", stop: ["\n"], maxNewTokens: 256 },
        { kind: "texts", continuations: [" unanswerable"] },
      ],
      gold: answers.text,
    };
  },
};

const ifeval: HarnessSpec = {
  name: "ifeval",
  description: "IFEval: instructions whose following can be checked",
  version: "4",
  repositories: ["google/IFEval"],
  splits: { test: "train" },
  shotsFixed: true,
  metrics: instructionMetrics(),
  facts: instructionFacts,
  question(row, place) {
    const { prompt } = readRow(ifevalRow, row, { task: "ifeval", ...place });
    return {
      contexts: [prompt],
      exampleAnswer: "",
      asks: [{ kind: "generate", stop: [], maxNewTokens: 1280 }],
      gold: null,
    };
  },
};

/** Tasks of the harness that generate text or score whole texts. */
export const textTasks: readonly HarnessSpec[] = [
  lambada({ name: "lambada_openai", ...OPENAI }),
  lambada({ name: "lambada_openai_cloze", ...OPENAI, cloze: true }),
  lambada({ name: "lambada_standard", ...STANDARD }),
  lambada({ name: "lambada_standard_cloze", ...STANDARD, cloze: true }),
  wikitext,
  gsm8k,
  squadv2,
  ifeval,
];
