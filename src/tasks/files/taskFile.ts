import { ElenchusError } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import { defineTask } from "../defineTask.js";
import type { HarnessAsk, HarnessQuestion } from "../harness/harnessSpec.js";
import type { Task } from "../task.js";
import { fileMetrics } from "./fileMetrics.js";
import { readTaskDocument, type TaskDocumentFile } from "./taskDocument.js";
import { readTaskText } from "./taskText.js";
import { readField } from "./template.js";

/** Whether a name is that of a task file. */
export function isTaskFile(name: string): boolean {
  return /\.(toml|ya?ml)$/.test(name);
}

/**
 * Reads a task from a TOML or YAML file with the keys of EleutherAI's harness: a question with choices, an answer to be
 * generated or scored, or a whole text, in Jinja templates over the columns of a row.
 * @throws INPUT_UNREADABLE, CONFIG_UNSUPPORTED or CONFIG_CONFLICT naming the file and the key
 */
export function readTaskFile(path: string): Task {
  return taskFromDocument(readTaskText(path), path);
}

/** A task from what a file says. @throws as `readTaskFile` */
export function taskFromDocument(document: unknown, path: string): Task {
  const file = readTaskDocument(document, path);
  const { test_split: test, validation_split: validation, training_split: training } = file;
  const { fewshot_split: fewshot, dataset_name: config, dataset_kwargs } = file;
  const question = questionOf(file, path);
  const preamble = readField(file.description, "description");
  return defineTask({
    name: file.task,
    description: `${file.task}, from ${path}`,
    version: String(file.metadata.version),
    dataset: file.dataset_path,
    ...(config && { config }),
    ...(dataset_kwargs?.revision !== undefined && { revision: dataset_kwargs.revision }),
    splits: {
      ...(test && { test }),
      ...(validation && { validation }),
      ...(training && { training }),
      ...(fewshot && { fewshot }),
    },
    shots: file.num_fewshot ?? 0,
    // What the file itself says is none cannot be changed by who runs it, as in the harness.
    shotsFixed: file.num_fewshot === 0,
    sampler: file.fewshot_config.sampler === "first_n" ? "first" : "random",
    rules: {
      preamble: (row) => preamble.text(row),
      targetDelimiter: file.target_delimiter,
      fewshotDelimiter: file.fewshot_delimiter,
    },
    metrics: fileMetrics(file, (row) => question(row).pageText),
    question,
  });
}

/** What is asked of a row; `pageText` is what lengths of whole texts are taken of. */
function questionOf(file: TaskDocumentFile, path: string) {
  const text = readField(file.doc_to_text, "doc_to_text");
  const target =
    typeof file.doc_to_target === "number" ? undefined : readField(file.doc_to_target, "doc_to_target");
  const given = (row: TableRow) => (target === undefined ? file.doc_to_target : target.value(row));
  const choices = choicesOf(file, path);
  return (row: TableRow): HarnessQuestion & { pageText: string } => {
    const value = given(row);
    const context = file.output_type === "loglikelihood_rolling" ? String(value) : text.text(row);
    const common = { contexts: [context], pageText: context };
    if (choices === undefined) {
      const answers = Array.isArray(value) ? value.map(String) : [String(value)];
      const [first = ""] = answers;
      return { ...common, exampleAnswer: first, asks: [askOf(file, first)], gold: answers, choices: [first] };
    }
    const all = choices(row);
    const gold = Array.isArray(value) ? value.map((one) => placeOf(one, all)) : placeOf(value, all);
    const [shown = 0] = [gold].flat();
    return {
      ...common,
      exampleAnswer: all[shown] ?? "",
      asks: [
        file.output_type === "multiple_choice"
          ? { kind: "choices", choices: all }
          : askOf(file, all[shown] ?? ""),
      ],
      gold: file.output_type === "multiple_choice" ? gold : [gold].flat().map((place) => all[place] ?? ""),
      choices: all,
    };
  };
}

function askOf(file: TaskDocumentFile, answer: string): HarnessAsk {
  if (file.output_type === "loglikelihood") return { kind: "texts", continuations: [answer] };
  if (file.output_type === "loglikelihood_rolling") return { kind: "rolling" };
  const { until = [file.fewshot_delimiter], max_gen_toks: maxNewTokens } = file.generation_kwargs;
  return { kind: "generate", stop: until, maxNewTokens };
}

function choicesOf(file: TaskDocumentFile, path: string): ((row: TableRow) => string[]) | undefined {
  const { doc_to_choice: given, output_type } = file;
  if (given === null || given === undefined) {
    if (output_type !== "multiple_choice") return undefined;
    throw new ElenchusError("INPUT_UNREADABLE", `${path} is no task: multiple_choice needs doc_to_choice.`);
  }
  if (typeof given !== "string") return () => [...given];
  const field = readField(given, "doc_to_choice");
  return (row) => {
    const found = field.value(row);
    if (Array.isArray(found)) return found.map(String);
    throw new ElenchusError(
      "DATA_INVALID",
      `doc_to_choice of ${file.task} is ${JSON.stringify(found)?.slice(0, 60)} for a row. Expected a list.`,
    );
  };
}

/** The place that a target names: itself, as digits, or by the text of a choice; -1 for none. */
function placeOf(value: unknown, choices: readonly string[]): number {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return Number(value);
  const text = String(value);
  const place = choices.indexOf(text);
  return place === -1 && /^\d+$/.test(text) ? Number(text) : place;
}
