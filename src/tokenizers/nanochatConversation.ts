import { ElenchusError } from "../base/index.js";
import type { ChatTurn } from "./chatTurn.js";
import type { Tokenizer } from "./tokenizer.js";

/** A part of an assistant's turn: words, a call of the Python tool, what the tool answered. */
export interface NanochatPart {
  readonly type: "text" | "python" | "python_output";
  readonly text: string;
}

/** A turn, whose content an assistant may give in parts. */
export interface NanochatTurn extends Omit<ChatTurn, "content"> {
  readonly content: string | readonly NanochatPart[];
}

/** Ids with a mask of what the assistant must learn to say. */
export interface NanochatConversation {
  readonly ids: number[];
  readonly mask: Uint8Array;
}

/** Ids that nanochat cuts a conversation to. */
const NANOCHAT_MOST_TOKENS = 2048;

/**
 * A conversation as nanochat renders it: the begin token, then user and assistant by turns between their markers,
 * without line ends. A system turn is put before the first user's text, two line ends between them. Texts cannot
 * place special tokens. The mask is 1 for an assistant's words, tool calls and end token; 0 for markers before
 * them, for what a tool answered and for all else.
 * @throws DATA_INVALID for turns in another order, or with contents of another form
 * @throws INPUT_UNREADABLE for a tokenizer without nanochat's special tokens
 */
export function encodeNanochatConversation(
  tokenizer: Tokenizer,
  turns: readonly NanochatTurn[],
  { mostTokens = NANOCHAT_MOST_TOKENS }: { mostTokens?: number } = {},
): NanochatConversation {
  const ids: number[] = [];
  const mask: number[] = [];
  const text = (content: string) => tokenizer.encode(content, { specialTokens: "text" });
  const marker = (name: string) => [specialId(tokenizer, name)];
  const add = (more: readonly number[], learnt: 0 | 1) => {
    for (const id of more) {
      ids.push(id);
      mask.push(learnt);
    }
  };

  add(marker("<|bos|>"), 0);
  alternating(turns).forEach(({ role, content }) => {
    if (role === "user") {
      add([...marker("<|user_start|>"), ...text(wordsOf(content)), ...marker("<|user_end|>")], 0);
      return;
    }
    add(marker("<|assistant_start|>"), 0);
    for (const part of typeof content === "string" ? [{ type: "text", text: content } as const] : content) {
      if (part.type === "text") add(text(part.text), 1);
      else if (part.type === "python") {
        add([...marker("<|python_start|>"), ...text(part.text), ...marker("<|python_end|>")], 1);
      } else add([...marker("<|output_start|>"), ...text(part.text), ...marker("<|output_end|>")], 0);
    }
    add(marker("<|assistant_end|>"), 1);
  });
  return { ids: ids.slice(0, mostTokens), mask: Uint8Array.from(mask.slice(0, mostTokens)) };
}

/**
 * The prompt for an assistant's next turn: the conversation, cut as for training, and the marker that begins an
 * assistant's turn. A last turn of the assistant, the answer that is asked for, is left out.
 * @throws as `encodeNanochatConversation`
 */
export function encodeNanochatPrompt(
  tokenizer: Tokenizer,
  turns: readonly NanochatTurn[],
  options: { mostTokens?: number } = {},
): number[] {
  const asked = turns.at(-1)?.role === "assistant" ? turns.slice(0, -1) : turns;
  const { ids } = encodeNanochatConversation(tokenizer, asked, options);
  return [...ids, specialId(tokenizer, "<|assistant_start|>")];
}

/** The turns with the system's words in the first user's turn. */
function alternating(turns: readonly NanochatTurn[]): readonly NanochatTurn[] {
  const [first, second] = turns;
  const merged =
    first?.role === "system" && second?.role === "user"
      ? [{ ...second, content: `${wordsOf(first.content)}\n\n${wordsOf(second.content)}` }, ...turns.slice(2)]
      : turns;
  const wrong = merged.findIndex(({ role }, index) => role !== (index % 2 === 0 ? "user" : "assistant"));
  if (merged.length > 0 && wrong < 0) return merged;
  throw new ElenchusError(
    "DATA_INVALID",
    `A conversation has the roles ${turns.map(({ role }) => role).join(", ") || "(none)"}. Expected user and assistant by turns, perhaps after one system turn.`,
  );
}

function wordsOf(content: NanochatTurn["content"]): string {
  if (typeof content === "string") return content;
  throw new ElenchusError("DATA_INVALID", "A user's or system's turn has parts. Expected a text.");
}

function specialId(tokenizer: Tokenizer, name: string): number {
  const id = tokenizer.tokenToId(name);
  if (id !== undefined) return id;
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `The tokenizer has no special token ${name}. Expected nanochat's; train one with NANOCHAT_SPECIAL_TOKENS.`,
  );
}
