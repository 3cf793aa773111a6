import { createRegistry, ElenchusError, type Registry } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import { LETTERS } from "../texts/letters.js";

/** Turns the rows of a file into those that a data set on the hub has. */
export type RowForm = (rows: readonly TableRow[]) => TableRow[];

/**
 * Forms in which copies of the benchmarks are found: those of llm-foundry, of the authors' own repositories, and raw
 * texts. Named in `sources.json`.
 */
export const rowForms: Registry<RowForm> = createRegistry<RowForm>("row form");

const add = (name: string, description: string, form: (row: TableRow) => TableRow) =>
  rowForms.register(name, (rows) => rows.map(form), { description });

add("openbookqa_choices", "OpenBookQA as query, choices and the place of the right one", (row) => {
  const [choices, gold] = [textsOf(row, "choices"), numberOf(row, "gold")];
  return {
    question_stem: textOf(row, "query"),
    choices: { text: choices, label: LETTERS.slice(0, choices.length) },
    answerKey: LETTERS[gold] ?? "",
  };
});

add("winogrande_options", "WinoGrande as two beginnings and the end they share", (row) => {
  const [one = "", other = ""] = textsOf(row, "context_options");
  const shared = sharedBeginning(one, other);
  return {
    sentence: `${one.slice(0, shared)}_ ${textOf(row, "continuation")}`,
    option1: one.slice(shared),
    option2: other.slice(shared),
    answer: String(numberOf(row, "gold") + 1),
  };
});

add("hellaswag_text", "HellaSwag as clean text and endings", (row) => {
  const query = textOf(row, "query");
  const colon = query.indexOf(": ");
  return {
    activity_label: query.slice(0, colon),
    ctx_a: query.slice(colon + 2),
    ctx_b: "",
    endings: textsOf(row, "endings"),
    label: numberOf(row, "label"),
  };
});

add("truthfulqa_labels", "TruthfulQA with targets as choice: label", (row) => {
  const targets = (key: string) => {
    const pairs = Object.entries(row[key] ?? {});
    return { choices: pairs.map(([choice]) => choice), labels: pairs.map(([, label]) => label) };
  };
  return { ...row, mc1_targets: targets("mc1_targets"), mc2_targets: targets("mc2_targets") };
});

add("boolq_query", "BoolQ as passage and question in one text", (row) => {
  const match = /^Passage: ([\s\S]*)\nQuestion: ([\s\S]*?)\?$/.exec(textOf(row, "query"));
  if (match === null) throw unfit("query", "Passage: ...\\nQuestion: ...?");
  const label = numberOf(row, "gold");
  const [, passage, question] = match;
  return { passage, question, label, answer: label === 1 ? "Yes" : "No" };
});

add("boolq_helm_query", "BoolQ for lighteval, as passage and question in one text", (row) => {
  const form = rowForms.lookup("boolq_query");
  const [read] = form([row]);
  return { ...read, question: `${textOf(read!, "question")}?` };
});

rowForms.register(
  "wikitext_pages",
  (rows) => rows.flatMap((row) => wikitextPages(textOf(row, "text"))).map((page) => ({ page })),
  { description: "WikiText as one raw text, cut into articles" },
);

/** Articles of a raw text: a line like ` = Title = ` opens one, one like ` = = Section = = ` does not. */
function wikitextPages(raw: string): string[] {
  const pages: string[][] = [[]];
  for (const line of raw.split("\n")) {
    const title = line.replaceAll("= = =", "===").replaceAll("= =", "==").trim();
    if (title.startsWith("= ") && title.endsWith(" =")) pages.push([]);
    pages.at(-1)!.push(line);
  }
  const texts = pages.map((page) => page.join("\n"));
  return texts[0]!.trim() === "" ? texts.slice(1) : texts;
}

/** Where two texts part, at the beginning of the word in which they do. */
function sharedBeginning(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place++;
  return one.lastIndexOf(" ", place - 1) + 1;
}

function textOf(row: TableRow, key: string): string {
  const value = row[key];
  if (typeof value === "string") return value;
  throw unfit(key, "a text");
}

function textsOf(row: TableRow, key: string): string[] {
  const value = row[key];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw unfit(key, "a list of texts");
}

function numberOf(row: TableRow, key: string): number {
  const value = Number(row[key]);
  if (Number.isInteger(value)) return value;
  throw unfit(key, "a whole number");
}

function unfit(key: string, expected: string): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `A row's ${key} is not what its form in sources.json needs: expected ${expected}.`,
  );
}
