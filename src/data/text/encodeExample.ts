import { ElenchusError, messageOf } from "../../base/index.js";
import { encodeChatWithMask, encodeNanochatConversation, type Tokenizer } from "../../tokenizers/index.js";
import type { TextExample } from "./textExample.js";
import type { TokenRow } from "./tokenRow.js";

/** What of an example a model must learn to say: answers, or everything. */
export type LabelStrategy = "assistant_only" | "all";

/**
 * The ids of an example and what of them is to be learnt. Texts, prompts and completions cannot place special
 * tokens; they get what the tokenizer puts before a text, and its end token behind. Conversations go through the
 * chat template, which writes all that stands around the turns; for a
 * tokenizer with nanochat's special tokens they are rendered as nanochat does. `assistant_only` asks for the completion with its
 * end token, or for what the assistant says; of a plain text it asks for everything.
 * @throws DATA_INVALID naming the place of an example that the chat template refuses
 */
export function encodeExample(tokenizer: Tokenizer, example: TextExample, labels: LabelStrategy): TokenRow {
  const { content, place } = example;
  if (content.kind === "chat") {
    try {
      const { ids, mask } = isNanochat(tokenizer)
        ? encodeNanochatConversation(tokenizer, content.turns, { mostTokens: Number.POSITIVE_INFINITY })
        : encodeChatWithMask(tokenizer, content.turns);
      return labels === "all" ? allAsked(ids) : { ids: Int32Array.from(ids), mask };
    } catch (error) {
      if (!(error instanceof ElenchusError) || error.code !== "DATA_INVALID") throw error;
      throw new ElenchusError("DATA_INVALID", `${place}: ${messageOf(error)}`, { cause: error });
    }
  }
  if (content.kind === "text") return allAsked(framed(tokenizer, content.text));
  const prompt = tokenizer.encode(content.prompt, { addSpecialTokens: true, specialTokens: "text" });
  const given = withoutEnd(tokenizer, prompt);
  const answer = withEnd(tokenizer, tokenizer.encode(content.completion, { specialTokens: "text" }));
  const whole = allAsked([...given, ...answer]);
  if (labels === "assistant_only") whole.mask.fill(0, 0, given.length);
  return whole;
}

/** nanochat's tokenizers bring no template: their conversations are built from special tokens. */
function isNanochat(tokenizer: Tokenizer): boolean {
  return tokenizer.chatTemplate === undefined && tokenizer.tokenToId("<|assistant_start|>") !== undefined;
}

/** nanochat ends a text with the begin token of the next one; its end token is an assistant's alone. */
function framed(tokenizer: Tokenizer, text: string): number[] {
  const ids = tokenizer.encode(text, { addSpecialTokens: true, specialTokens: "text" });
  return isNanochat(tokenizer) ? ids : withEnd(tokenizer, ids);
}

/** Some tokenizers put an end token behind a text by themselves, others leave it to us. */
function withEnd({ special: { eos } }: Tokenizer, ids: number[]): number[] {
  return eos === undefined || ids.at(-1) === eos ? ids : [...ids, eos];
}

/** The prompt goes on with its completion, so an end token that the tokenizer put behind it goes. */
function withoutEnd({ special: { bos, eos } }: Tokenizer, ids: number[]): number[] {
  const ended = ids.length > 0 && ids.at(-1) === eos && !(ids.length === 1 && eos === bos);
  return ended ? ids.slice(0, -1) : ids;
}

function allAsked(ids: readonly number[]): TokenRow {
  return { ids: Int32Array.from(ids), mask: new Uint8Array(ids.length).fill(1) };
}
