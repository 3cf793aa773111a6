import type { ChatTurn } from "./chatTurn.js";
import { type ChatTemplateOptions, renderChatTemplate, withSystemPrompt } from "./renderChatTemplate.js";
import type { Tokenizer } from "./tokenizer.js";

/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Where in a rendered conversation the assistant speaks, turn by turn. A turn begins where the conversation before
 * it, rendered with a generation prompt, ends, and is over where the conversation up to it ends. Templates that
 * render earlier turns differently once others follow (thoughts left out) or whose prompt says more than the head
 * of a turn are asked another way: by the place of the content itself.
 */
export function findAssistantSpans(
  tokenizer: Tokenizer,
  text: string,
  turns: readonly ChatTurn[],
  options: ChatTemplateOptions,
): TextSpan[] {
  const all = withSystemPrompt(turns, options.systemPrompt);
  const { systemPrompt: _, ...rest } = options;
  const prefixLength = (count: number, addGenerationPrompt: boolean): number | undefined => {
    if (count === 0 && !addGenerationPrompt) return 0;
    const prefix = attempt(() =>
      renderChatTemplate(tokenizer, all.slice(0, count), { ...rest, addGenerationPrompt }),
    );
    return prefix !== undefined && text.startsWith(prefix) ? prefix.length : undefined;
  };
  const specials = specialNamesOf(tokenizer);
  const spans: TextSpan[] = [];
  let position = 0;
  all.forEach(({ role, content }, index) => {
    if (role !== "assistant") {
      // Steps over the turn, so that an answer that repeats a question is not found in the question.
      position = Math.max(position, prefixLength(index + 1, false) ?? endOf(text, content, position));
      return;
    }
    const head = prefixLength(index, true);
    const start = head !== undefined && head >= position ? head : startOf(text, content, position);
    const turnEnd = prefixLength(index + 1, false);
    const end =
      turnEnd !== undefined && turnEnd >= start
        ? lastSpecialEnd(text.slice(start, turnEnd), specials, start)
        : firstSpecialEnd(text, endOf(text, content, start), specials);
    if (end > start) spans.push({ start, end });
    position = Math.max(position, turnEnd ?? end);
  });
  return spans;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function startOf(text: string, content: string, from: number): number {
  const found = text.indexOf(content.trim(), from);
  return found < 0 ? from : found;
}

function endOf(text: string, content: string, from: number): number {
  const found = text.indexOf(content.trim(), from);
  return found < 0 ? from : found + content.trim().length;
}

/** The end of a turn's last special token; without any, of its last character that is no white space. */
function lastSpecialEnd(turn: string, specials: readonly string[], start: number): number {
  let last = 0;
  for (const name of specials) {
    const at = turn.lastIndexOf(name);
    if (at >= 0) last = Math.max(last, at + name.length);
  }
  return start + (last > 0 ? last : turn.trimEnd().length);
}

/** The end of the first special token from here on; without any, this place. */
function firstSpecialEnd(text: string, from: number, specials: readonly string[]): number {
  let best: { at: number; end: number } | undefined;
  for (const name of specials) {
    const at = text.indexOf(name, from);
    if (at >= 0 && (best === undefined || at < best.at)) best = { at, end: at + name.length };
  }
  return best?.end ?? from;
}

function specialNamesOf({ specialIds, idToToken }: Tokenizer): string[] {
  return specialIds.flatMap((id) => idToToken(id) || []);
}
