import { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { ChatTurn } from "../../tokenizers/index.js";
import type { DictSample } from "../datasets/baseDataset.js";
import type { GenerationResponseSample, PreprocessedSample, ScorerInputSample } from "../samples.js";
import { BaseGeneratorProcessor } from "./baseProcessor.js";
import { columnMessages, columnText } from "./rowColumns.js";

/** Columns that may hold a question, the first that there is counts: messages, a text to go on from, a question. */
const MESSAGES = ["chat_completion_input", "messages"];
const PROMPT = "completion_input";
const QUESTIONS = ["input_query", "question", "prompt"];
/** Columns that may hold what is expected. */
const ANSWERS = ["expected_answer", "answer"];

const params = z.strictObject({
  /** Stands in front of every conversation, before a row's own system messages. */
  system_message: z.string().optional(),
});

/**
 * Rows that hold their own questions: `chat_completion_input` or `messages` (turns of all roles, kept as they are),
 * `completion_input` (a text that is gone on from), or `input_query`, `question` or `prompt`. What is expected stands in
 * `expected_answer` or `answer`. All columns are handed on to the scorers.
 */
export class ChatProcessor extends BaseGeneratorProcessor {
  readonly #system: string | undefined;

  constructor({ system_message }: z.output<typeof params> = {}) {
    super();
    this.#system = system_message;
  }

  preprocessSample({ data }: DictSample): PreprocessedSample {
    const messages = present(data, MESSAGES);
    if (messages !== undefined) {
      return { generation_input: { messages: [...this.#first(), ...columnMessages(data, messages)] } };
    }
    if (isPresent(data, PROMPT)) return { generation_input: { prompt: promptOf(data) } };
    const question = present(data, QUESTIONS);
    if (question === undefined) throw noQuestion(data);
    const turn = { role: "user", content: columnText(data, question) };
    return { generation_input: { messages: [...this.#first(), turn] } };
  }

  postprocessSample(
    { generation_output }: GenerationResponseSample,
    { data }: DictSample,
  ): ScorerInputSample {
    const question = present(data, QUESTIONS);
    const expected = present(data, ANSWERS);
    const { finish: _, ...output } = generation_output;
    return {
      ...data,
      ...(question !== undefined && { input_query: columnText(data, question) }),
      ...(expected !== undefined && { expected_answer: data[expected] }),
      generated_answer: output.completion_message,
      generation_output: output,
    };
  }

  #first(): ChatTurn[] {
    return this.#system === undefined ? [] : [{ role: "system", content: this.#system }];
  }
}

/** As it is registered. */
export const chatProcessor = {
  params,
  create: (given: z.output<typeof params>) => new ChatProcessor(given),
};

function present(row: TableRow, columns: readonly string[]): string | undefined {
  return columns.find((column) => isPresent(row, column));
}

/** Tables of one text per cell have empty texts where there is nothing. */
function isPresent(row: TableRow, column: string): boolean {
  const value = Object.hasOwn(row, column) ? row[column] : undefined;
  return value !== undefined && value !== null && value !== "";
}

/** The text itself, or the JSON of one, as Llama Stack's data sets have it. */
function promptOf(row: TableRow): string {
  const text = columnText(row, PROMPT);
  if (!/^\s*["{]/.test(text)) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "string") return parsed;
    const { content } = parsed as { content?: unknown };
    return typeof content === "string" ? content : text;
  } catch {
    return text;
  }
}

function noQuestion(row: TableRow): ElenchusError {
  return new ElenchusError(
    "ROW_INVALID",
    `There is no question in it: expected one of ${[...MESSAGES, PROMPT, ...QUESTIONS].join(", ")}, found ${Object.keys(row).join(", ") || "no columns"}.`,
  );
}
