import type { SampleLine } from "../../evaluators/index.js";

/** What a reader sees of a sample in one line of a table. */
export interface SampleText {
  /** The end of the last prompt, where the question stands. */
  readonly prompt: string;
  /** The text that was answered, or the continuation that was most likely. */
  readonly answer: string;
  readonly gold: string;
}

/**
 * A sample in short. It takes the requests and answers of tasks for what they are, and shows anything else that an
 * evaluator logs as it is.
 */
export function sampleText({ requests, answers, gold }: SampleLine): SampleText {
  const choices = choicesOf(requests);
  return {
    prompt: promptOf(requests.at(-1)),
    answer: answers.some((answer) => likelihoodOf(answer) !== undefined)
      ? mostLikely(answers, choices)
      : answers.map(textOf).join(" | "),
    gold: [gold]
      .flat()
      .map((one) => (typeof one === "number" ? (choices[one] ?? one) : (one ?? "")))
      .map(textOf)
      .join(" | "),
  };
}

/** What may be chosen from: continuations of one prompt, or prompts where there are several. */
function choicesOf(requests: readonly unknown[]): readonly string[] {
  const choices: string[] = [];
  for (const request of requests) {
    const { prompts, continuations } = fieldsOf(request);
    if (!Array.isArray(prompts)) continue;
    if (prompts.length > 1) choices.push(...prompts.map(textOf));
    else if (Array.isArray(continuations)) choices.push(...continuations.map(textOf));
  }
  return choices;
}

function mostLikely(answers: readonly unknown[], choices: readonly string[]): string {
  if (answers.length === 1 && choices.length === 0) return likelihoodText(answers[0]);
  const likelihoods = answers.map((answer) => likelihoodOf(answer) ?? Number.NEGATIVE_INFINITY);
  const best = likelihoods.indexOf(Math.max(...likelihoods));
  return choices.length === answers.length ? choices[best]! : String(best);
}

/** Of a text that only is likely or not. */
function likelihoodText(answer: unknown): string {
  const { tokens } = fieldsOf(answer);
  const value = Number(likelihoodOf(answer)!.toFixed(3));
  return `log-likelihood ${value}${typeof tokens === "number" ? ` of ${tokens} tokens` : ""}`;
}

/** Of a whole, or per token; null, for a continuation that cannot be, is the least of all. */
function likelihoodOf(answer: unknown): number | undefined {
  const { mean_log_likelihood: mean, log_likelihood: value = mean } = fieldsOf(answer);
  if (value === null) return Number.NEGATIVE_INFINITY;
  return typeof value === "number" ? value : undefined;
}

function promptOf(request: unknown): string {
  const { prompts } = fieldsOf(request);
  const last: unknown = Array.isArray(prompts) ? prompts.at(-1) : request;
  const turn: unknown = Array.isArray(last) ? last.at(-1) : last;
  const { content } = fieldsOf(turn);
  return textOf(content ?? turn);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { text } = fieldsOf(value);
  return typeof text === "string" ? text : (JSON.stringify(value) ?? "");
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
