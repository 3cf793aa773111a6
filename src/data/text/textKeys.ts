import { z } from "zod";
import type { Config, EntryFault } from "../../config/index.js";

const name = z.string().min(1);

/** Keys of `[data]` that every source of text reads. */
export const textKeys = {
  max_seq_length: z.int().min(1).optional().meta({
    description:
      "The most tokens of a row; the model's `block_size` or `sequence_len`, else 128, when absent.",
    unit: "tokens",
  }),
  pack_sequences: z.boolean().default(false).meta({
    description: "Texts of one owner share rows, the end token between them.",
  }),
  vocab_size: z.int().min(264).max(1_000_000).default(1024).meta({
    description: "Tokens of the vocabulary that is learnt from the training text, where one is.",
  }),
  validation_fraction: z.number().gt(0).lt(1).default(0.1).meta({
    description: "Share of the text that is held out to test on, where no part of the data is named for it.",
  }),
};

/** Keys of `[trainer]` that every source of text reads. */
export const tokenizerKeys = {
  tokenizer_name: name.optional().meta({
    description:
      "A folder or a repository of a hub with a tokenizer; `byte`: a token for each byte; `bpe`: learnt from the training text; `nanochat`: the same with nanochat's special tokens. When absent that of a published model, else `bpe`.",
  }),
  tokenizer_revision: name.optional().meta({
    description: "Branch, tag or commit of the tokenizer's repository; `model_revision` when absent.",
  }),
};

/** Keys of `[data]` of sources whose rows have columns. */
export const exampleKeys = {
  preprocessing_mode: z.enum(["chat_sft", "prompt_completion", "text"]).default("chat_sft").meta({
    description: "What a row is: a conversation, an answer to a prompt, or a text.",
  }),
  label_strategy: z.enum(["assistant_only", "all"]).default("assistant_only").meta({
    description: "What of a conversation or an answered prompt is learnt: the answers, or everything.",
  }),
  messages_field: name.default("messages").meta({
    description: "Column of the conversation: a list of turns with `role` and `content`.",
  }),
  text_field: name.default("text").meta({ description: "Column of a plain text." }),
  prompt_field: name.default("prompt").meta({ description: "Column of a prompt." }),
  completion_field: name.default("completion").meta({ description: "Column of its answer." }),
  owner_field: name.optional().meta({
    description: "Column that says whose a row is, for the sampler `natural`.",
  }),
};

const textOptions = z.looseObject(textKeys);
/** The keys of every source of text, parsed. */
export type TextOptions = z.output<typeof textOptions>;
const exampleOptions = z.looseObject(exampleKeys);
/** The keys of sources with columns, parsed. */
export type ExampleOptions = z.output<typeof exampleOptions>;

/** Tokens of a row when nobody says how many: the default context of the model `gpt`. */
const MAX_LENGTH = 128;

/** The most tokens that a row gives to the model. */
export function rowLength(
  given: number | undefined,
  model: Readonly<Record<string, unknown>> | undefined,
): number {
  return given ?? contextOf(model)?.tokens ?? MAX_LENGTH;
}

/** The context that `[parameters.model]` gives, with the name it has there. */
function contextOf(model: Readonly<Record<string, unknown>> | undefined) {
  for (const name of ["block_size", "sequence_len"]) {
    const tokens = model?.[name];
    if (typeof tokens === "number") return { name, tokens };
  }
  return undefined;
}

/** Tokenizers that come from no repository. */
const MADE_HERE = ["byte", "bpe", "nanochat"];

/** What a configuration of text gets wrong across keys. */
export function checkText({ data, trainer, parameters }: Config): EntryFault[] {
  const faults: EntryFault[] = [];
  const options: Readonly<Record<string, unknown>> = data;
  const length = options.max_seq_length;
  const context = contextOf(parameters.model);
  if (typeof length === "number" && context && length > context.tokens) {
    const expected = `at most parameters.model.${context.name} = ${context.tokens}, the tokens that the model reads`;
    faults.push({ path: ["data", "max_seq_length"], expected });
  }
  const { tokenizer_name, tokenizer_revision }: Readonly<Record<string, unknown>> = trainer;
  if (tokenizer_revision !== undefined && MADE_HERE.includes(String(tokenizer_name))) {
    const expected = `none with trainer.tokenizer_name = "${tokenizer_name}", which comes from no repository`;
    faults.push({ path: ["trainer", "tokenizer_revision"], expected });
  }
  return faults;
}
