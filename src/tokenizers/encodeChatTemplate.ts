import { findAssistantSpans } from "./assistantSpans.js";
import type { ChatTurn } from "./chatTurn.js";
import { type ChatTemplateOptions, renderChatTemplate } from "./renderChatTemplate.js";
import type { Tokenizer } from "./tokenizer.js";

/** Ids of a conversation. Special tokens are those that the template writes; nothing is added around them. */
export function encodeChatTemplate(
  tokenizer: Tokenizer,
  turns: readonly ChatTurn[],
  options: ChatTemplateOptions = {},
): number[] {
  return tokenizer.encode(renderChatTemplate(tokenizer, turns, options));
}

/** A conversation to learn from. */
export interface MaskedChat {
  readonly text: string;
  readonly ids: number[];
  /** Per id: 1 for what an assistant says, its end token included, else 0. */
  readonly mask: Uint8Array;
}

/**
 * Ids of a conversation with a mask of what an assistant must learn to say. An assistant's part begins behind the
 * head of its turn (what a generation prompt ends with) and ends with the last special token of the turn, which
 * says that the turn is over; line ends behind that token are not part of it. A token is masked 1 if its first
 * character lies in the part: one that begins in the head is given to the model, not asked from it.
 * @throws as `renderChatTemplate`
 */
export function encodeChatWithMask(
  tokenizer: Tokenizer,
  turns: readonly ChatTurn[],
  options: Omit<ChatTemplateOptions, "addGenerationPrompt"> = {},
): MaskedChat {
  const text = renderChatTemplate(tokenizer, turns, options);
  const spans = findAssistantSpans(tokenizer, text, turns, options);
  const { ids, offsets } = tokenizer.encodeWithOffsets(text);
  const mask = new Uint8Array(ids.length);
  let next = 0;
  offsets.forEach(([start, end], index) => {
    while (next < spans.length && spans[next]!.end <= start) next++;
    const span = spans[next];
    if (span !== undefined && end > start && start >= span.start) mask[index] = 1;
  });
  return { text, ids, mask };
}
