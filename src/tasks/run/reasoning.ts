import type { TaskAnswers } from "../metrics/metric.js";

/** What a reasoning text stands between. */
export type ReasoningTags = readonly (readonly [open: string, close: string])[];

/** The tags that lighteval takes out of answers. */
export const THINK_TAGS: ReasoningTags = [["<think>", "</think>"]];

/**
 * Answers as metrics are to see them: what stands between tags is taken out, tags included; a tag without its other
 * stays.
 */
export function withoutReasoning(answers: TaskAnswers, tags: ReasoningTags): TaskAnswers {
  if (tags.length === 0 || answers.generations.length === 0) return answers;
  const generations = answers.generations.map((one) => ({ ...one, text: answerOf(one.text, tags) }));
  return { ...answers, generations };
}

function answerOf(text: string, tags: ReasoningTags): string {
  let rest = text;
  for (const [open, close] of tags) {
    for (;;) {
      const start = rest.indexOf(open);
      const end = start === -1 ? -1 : rest.indexOf(close, start);
      if (end === -1) break;
      rest = rest.slice(0, start) + rest.slice(end + close.length);
    }
  }
  return rest;
}
