import type { ChatTurn } from "./chatTurn.js";
import type { Tokenizer } from "./tokenizer.js";

/**
 * Turns of a rendered conversation, by the first form that is found in it: ChatML, Llama 3's headers, Gemma's
 * turns, nanochat's markers, `[INST]` pairs; else the whole text is one assistant's turn. Roles and contents are
 * trimmed; a turn without its end marker reaches to the next one or to the end.
 * @param chat the text, or its ids with the tokenizer
 */
export function decodeChatTemplate(chat: string): ChatTurn[];
export function decodeChatTemplate(chat: ArrayLike<number>, tokenizer: Tokenizer): ChatTurn[];
export function decodeChatTemplate(chat: string | ArrayLike<number>, tokenizer?: Tokenizer): ChatTurn[] {
  const text = typeof chat === "string" ? chat : tokenizer!.decode(chat);
  for (const form of FORMS) {
    if (form.sign.test(text)) return form.turns(text).filter(({ content }) => content !== "");
  }
  const content = text.trim();
  return content === "" ? [] : [{ role: "assistant", content }];
}

interface Form {
  readonly sign: RegExp;
  turns(text: string): ChatTurn[];
}

/** A form of one expression, whose first group is the role and whose second is the content. */
function byExpression(sign: RegExp, turn: RegExp, role: (name: string) => string = (name) => name): Form {
  return {
    sign,
    turns: (text) =>
      [...text.matchAll(turn)].map((match) => ({ role: role(match[1]!.trim()), content: match[2]!.trim() })),
  };
}

const FORMS: readonly Form[] = [
  byExpression(/<\|im_start\|>/, /<\|im_start\|>([^\n]*)\n(.*?)(?:<\|im_end\|>|(?=<\|im_start\|>)|$)/gs),
  byExpression(
    /<\|start_header_id\|>/,
    /<\|start_header_id\|>(.*?)<\|end_header_id\|>(.*?)(?:<\|eot_id\|>|(?=<\|start_header_id\|>)|$)/gs,
  ),
  byExpression(
    /<start_of_turn>/,
    /<start_of_turn>([^\n]*)\n(.*?)(?:<end_of_turn>|(?=<start_of_turn>)|$)/gs,
    (name) => (name === "model" ? "assistant" : name),
  ),
  byExpression(
    /<\|(?:user|assistant)_start\|>/,
    /<\|(user|assistant)_start\|>(.*?)(?:<\|\1_end\|>|(?=<\|(?:user|assistant)_start\|>)|$)/gs,
  ),
  {
    sign: /\[INST\]/,
    turns: (text) =>
      [...text.matchAll(/\[INST\](.*?)\[\/INST\](.*?)(?=<s>|<\/s>|\[INST\]|$)/gs)].flatMap((match) => [
        { role: "user", content: match[1]!.trim() },
        { role: "assistant", content: match[2]!.trim() },
      ]),
  },
];
