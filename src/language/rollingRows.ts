import { ElenchusError } from "../base/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import { encodeText, prefixToken } from "./beginToken.js";
import { requireOptions } from "./requireOptions.js";
import type { RollingOptions } from "./scoring.js";
import type { TokenRow } from "./tokenRows.js";

/**
 * The windows of a text, in order: together their continuations are its tokens. The first one begins with the
 * prefix token; the last one looks further back, so that it is as long as the others. A begin token that the
 * tokenizer puts in front is scored like any other, as EleutherAI's evaluation harness does.
 * @param contextLength the most tokens a model reads at once
 * @throws CONFIG_VALUE for windows that cannot be, and for an option that is none
 */
export function rollingRows(
  tokenizer: Tokenizer,
  text: string,
  options: RollingOptions,
  contextLength: number,
): TokenRow[] {
  requireOptions(options);
  const room = options.maxLength ?? contextLength;
  const step = scoredPerWindow(options, room);
  if (text === "") return [];
  const tokens = encodeText(tokenizer, text, options);
  const all = [prefixToken(tokenizer), ...tokens];
  const rows: TokenRow[] = [];
  for (let scored = 0; scored < tokens.length; ) {
    const count = Math.min(tokens.length - scored, scored === 0 ? room : step);
    const end = scored + count;
    rows.push({
      context: all.slice(Math.max(0, end - room), scored + 1),
      continuation: all.slice(scored + 1, end + 1),
      truncated: 0,
    });
    scored = end;
  }
  return rows;
}

function scoredPerWindow({ context, stride }: RollingOptions, room: number): number {
  if (context !== undefined && stride !== undefined && stride !== room + 1 - context) {
    throw new ElenchusError(
      "CONFIG_VALUE",
      `Windows of ${room} tokens with context = ${context} score ${room + 1 - context} tokens each, not stride = ${stride}. Give one of the two.`,
    );
  }
  const step = stride ?? room + 1 - (context ?? 1);
  if (Number.isInteger(step) && step >= 1 && step <= room) return step;
  const [key, value] = stride === undefined ? ["context", context] : ["stride", stride];
  throw new ElenchusError(
    "CONFIG_VALUE",
    `${key} = ${value} does not fit windows of ${room} tokens. Expected an integer from 1 to ${room}.`,
  );
}
