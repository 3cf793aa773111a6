import { ElenchusError } from "../../base/index.js";
import type {
  Generation,
  GenerationSettings,
  LanguageModel,
  LogLikelihood,
  RollingLogLikelihood,
} from "../../language/index.js";
import { renderChatTemplate, type Tokenizer } from "../../tokenizers/index.js";
import type { TaskAnswers } from "../metrics/metric.js";
import type { TaskRequest } from "../request.js";
import type { Task } from "../task.js";
import { Batches, type Pending } from "./batches.js";
import type { RequestProgress } from "./requestCounter.js";
import { type PlannedSpan, planSpans } from "./spans.js";

/** Requests of one document that are to be answered. */
export interface AskedDocument {
  readonly task: Task;
  readonly requests: readonly TaskRequest[];
}

/** Who answers, and what it is told beside the requests. */
export interface AnswerOptions {
  /** Needed for what is tokenised here: chats that are scored, and spans. Default: the model's own, if it has one. */
  readonly tokenizer?: Tokenizer | undefined;
  /** The most tokens that the model is given at once. */
  readonly maxLength?: number | undefined;
  /** How what is written is sampled; where answers end and how long they are, tasks say. Default: the likeliest. */
  readonly sampling?: Omit<GenerationSettings, "stop" | "maxNewTokens"> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hears of requests that are answered, equal ones counted once. */
  readonly onProgress?: ((progress: RequestProgress) => void) | undefined;
}

/** Answers to a document, or why it cannot be asked. */
export type DocumentAnswers = TaskAnswers | { readonly refused: string };

/**
 * Asks a model everything at once: one batch per kind of request and way of tokenising, equal requests once. What a
 * document is answered does not depend on the others.
 * @throws what the model throws; CAPABILITY_MISSING where a tokenizer is needed and there is none
 */
export async function answerAll(
  model: LanguageModel,
  asked: readonly AskedDocument[],
  options: AnswerOptions,
): Promise<DocumentAnswers[]> {
  const { maxLength, signal } = options;
  const batches = new Batches(model, { maxLength, signal });
  const tokenizer = () => tokenizerOf(model, options.tokenizer);
  const room = maxLength ?? model.contextLength ?? Number.POSITIVE_INFINITY;
  const pending = asked.map(({ task, requests }) => {
    const answers = {
      scores: [] as Pending<LogLikelihood>[],
      rolls: [] as Pending<RollingLogLikelihood>[],
      generations: [] as Pending<Generation>[],
    };
    for (const request of requests) {
      if (request.kind === "span") {
        const spans = planSpans(tokenizer(), request);
        if ("refused" in spans) return spans;
        const longest = Math.max(0, ...spans.map(({ continuation }) => continuation.length));
        if (longest > room) {
          return {
            refused: `a part that is scored has ${longest} tokens, and the model reads ${room} at once`,
          };
        }
        for (const span of spans) answers.scores.push(askSpan(batches, span));
      } else if (request.kind === "loglikelihood") {
        for (const prompt of request.prompts) {
          const context = typeof prompt === "string" ? prompt : rendered(tokenizer(), prompt);
          for (const continuation of request.continuations) {
            answers.scores.push(batches.score({ context, continuation }, task.scoring ?? {}));
          }
        }
      } else if (request.kind === "rolling") {
        for (const text of request.prompts) answers.rolls.push(batches.roll(text));
      } else {
        const { stop, maxNewTokens } = request;
        for (const prompt of request.prompts) {
          const answer = batches.generate(
            { prompt, stop, maxNewTokens },
            { ...options.sampling, ...task.generation },
          );
          answers.generations.push(answer);
        }
      }
    }
    return answers;
  });
  await batches.run(options.onProgress);
  return pending.map((one) =>
    "refused" in one
      ? one
      : {
          scores: one.scores.map((get) => get()),
          rolls: one.rolls.map((get) => get()),
          generations: one.generations.map((get) => get()),
        },
  );
}

function askSpan(batches: Batches, { context, continuation }: PlannedSpan): Pending<LogLikelihood> {
  if (continuation.length === 0) return () => EMPTY;
  return batches.score({ context, continuation }, {});
}

/** A span without tokens. */
const EMPTY: LogLikelihood = {
  logLikelihood: 0,
  tokenLogLikelihoods: [],
  greedy: true,
  tokenCount: 0,
  truncated: 0,
};

function rendered(tokenizer: Tokenizer, turns: Exclude<TaskRequest["prompts"][number], string>): string {
  return renderChatTemplate(tokenizer, turns, { addGenerationPrompt: true });
}

function tokenizerOf(model: LanguageModel, given: Tokenizer | undefined): Tokenizer {
  const own = (model as { readonly tokenizer?: Tokenizer }).tokenizer;
  const found = given ?? own;
  if (found !== undefined) return found;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `${model.name} has no tokenizer, which this task needs to find what is to be scored. Give one, or use a model that brings its own.`,
  );
}
