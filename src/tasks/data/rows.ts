import { z } from "zod";
import { label, namedChoices, numbers, object, texts, wholeNumber } from "./readRow.js";

/*
 * Rows of the benchmarks as their data sets on the hub have them, the columns that are used.
 */

/** `allenai/ai2_arc`, and `allenai/openbookqa` with its own name for the question. */
export const arcRow = z.object({ question: z.string(), choices: namedChoices, answerKey: z.string() });

export const openbookRow = z.object({
  question_stem: z.string(),
  choices: namedChoices,
  answerKey: z.string(),
});

export const hellaswagRow = z.object({
  activity_label: z.string(),
  ctx_a: z.string(),
  ctx_b: z.string(),
  endings: texts,
  label,
});

export const piqaRow = z.object({ goal: z.string(), sol1: z.string(), sol2: z.string(), label });

export const winograndeRow = z.object({
  sentence: z.string().refine((text) => text.includes("_"), "expected a blank, written as _"),
  option1: z.string(),
  option2: z.string(),
  answer: z.preprocess((value) => (value === "" ? -1 : value), wholeNumber),
});

/** `aps/super_glue`, configuration `boolq`. */
export const boolqRow = z.object({ passage: z.string(), question: z.string(), label });

/** `lighteval/boolq_helm`. */
export const boolqHelmRow = z.object({
  passage: z.string(),
  question: z.string(),
  answer: z.preprocess(
    (value) => (typeof value === "boolean" ? (value ? "Yes" : "No") : value),
    z.enum(["Yes", "No"]),
  ),
});

/** An answer is the place of the right choice, or on some hubs its letter. */
const placeOrLetter = z.preprocess(
  (value) => (typeof value === "string" && /^[A-J]$/.test(value) ? value.charCodeAt(0) - 65 : value),
  wholeNumber,
);

export const mmluRow = z.object({ question: z.string(), choices: texts, answer: placeOrLetter });

export const mmluProRow = z.object({
  question: z.string(),
  options: texts,
  answer: z.string(),
  answer_index: wholeNumber,
  cot_content: z.string().default(""),
  category: z.string(),
});

export const textRow = z.object({ text: z.string() });

export const gsm8kRow = z.object({ question: z.string(), answer: z.string() });

const truthTargets = object({ choices: texts, labels: numbers });
export const truthfulqaRow = z.object({
  question: z.string(),
  mc1_targets: truthTargets,
  mc2_targets: truthTargets,
});

export const wikitextRow = z.object({ page: z.string() });

export const squadRow = z.object({
  context: z.string(),
  question: z.string(),
  answers: object({ text: texts }),
});

/** The harness shows the title of the article too. */
export const titledSquadRow = squadRow.extend({ title: z.string() });

export const ifevalRow = z.object({ prompt: z.string() });
