import type { ChatTurn } from "../../tokenizers/index.js";

/** One thing to learn from: a text, an answer to a prompt, or a conversation. */
export type TextContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "completion"; readonly prompt: string; readonly completion: string }
  | { readonly kind: "chat"; readonly turns: readonly ChatTurn[] };

/** With its place in the data, for messages, and the name of its owner where it has one. */
export interface TextExample {
  readonly content: TextContent;
  /** `file:line` or the like. */
  readonly place: string;
  readonly owner?: string | undefined;
}

/** All words of an example, to learn a vocabulary from. */
export function wordsOf({ content }: TextExample): string[] {
  if (content.kind === "text") return [content.text];
  if (content.kind === "completion") return [content.prompt, content.completion];
  return content.turns.map((turn) => turn.content);
}
