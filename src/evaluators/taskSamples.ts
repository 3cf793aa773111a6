import type { SampleResult, TaskResult } from "../tasks/index.js";

/** What a task asked, was answered and scored, as lines of a file: keys as in all files, one object per document. */
export function taskSamples({ samples }: TaskResult): object[] {
  return samples.map(sampleLine);
}

function sampleLine({ document, answers, scores }: SampleResult): object {
  const { doc, gold, choices, fewshot, requests } = document;
  return {
    doc,
    gold,
    choices,
    fewshot,
    requests: requests.map((request) => ({
      kind: request.kind,
      prompts: request.prompts,
      ...(request.kind === "loglikelihood" && { continuations: request.continuations }),
      ...(request.kind === "span" && { form: request.form }),
      ...(request.kind === "generate" && { stop: request.stop, max_new_tokens: request.maxNewTokens }),
    })),
    log_likelihoods: answers.scores.map(({ logLikelihood, tokenCount, greedy, truncated }) => ({
      log_likelihood: logLikelihood,
      tokens: tokenCount,
      greedy,
      truncated,
    })),
    texts: answers.rolls.map(({ logLikelihood, tokenCount }) => ({
      log_likelihood: logLikelihood,
      tokens: tokenCount,
    })),
    generated: answers.generations.map(({ text, finish, truncated }) => ({ text, finish, truncated })),
    // A score may be infinite, which JSON does not have.
    scores: Object.fromEntries([...scores].map(([key, value]) => [key, finite(value)])),
  };
}

function finite(value: number | readonly number[]): number | null | (number | null)[] {
  if (typeof value !== "number") return value.map((one) => finite(one) as number | null);
  return Number.isFinite(value) ? value : null;
}
