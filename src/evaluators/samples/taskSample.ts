import type { LogLikelihood } from "../../language/index.js";
import type { SampleResult, TaskRequest, TaskResult } from "../../tasks/index.js";
import type { LoggedSample } from "./loggedSample.js";
import type { SampleLog } from "./sampleLog.js";

/** Logs all samples of a task, where there is a log. */
export async function logTaskSamples(
  log: SampleLog | undefined,
  task: string,
  { samples }: TaskResult,
): Promise<void> {
  if (log === undefined) return;
  for (const sample of samples) await log.add(task, taskSample(sample));
}

/**
 * A task's sample as it is logged: prompts once, with each answer what a reader wants to see of it; log probabilities
 * of single tokens are left out.
 */
export function taskSample({ document, answers, scores }: SampleResult): LoggedSample {
  const { doc, requests, gold } = document;
  return {
    doc,
    requests: requests.map(shownRequest),
    answers: [
      ...answers.scores.map(shownScore),
      ...answers.rolls.map(({ logLikelihood, tokenCount }) => ({
        log_likelihood: finite(logLikelihood),
        tokens: tokenCount,
      })),
      ...answers.generations.map(({ text, finish, truncated }) => ({ text, finish, ...cut(truncated) })),
    ],
    gold,
    scores: Object.fromEntries(
      [...scores].map(([metric, value]) => [
        metric,
        typeof value === "number" ? finite(value) : several(value),
      ]),
    ),
  };
}

function shownRequest(request: TaskRequest): object {
  if (request.kind !== "generate") return request;
  const { kind, prompts, stop, maxNewTokens } = request;
  return { kind, prompts, stop, max_new_tokens: maxNewTokens };
}

function shownScore({ logLikelihood, greedy, tokenCount, truncated }: LogLikelihood): object {
  return { log_likelihood: finite(logLikelihood), greedy, tokens: tokenCount, ...cut(truncated) };
}

/** Only where something was cut. */
function cut(truncated: number): object {
  return truncated > 0 ? { truncated } : {};
}

/** JSON has no infinities; a continuation that cannot be has none to show. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function several(values: readonly number[]): readonly number[] | null {
  return values.every((value) => Number.isFinite(value)) ? values : null;
}
