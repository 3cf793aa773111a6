import { ElenchusError } from "../../base/index.js";
import type {
  Generation,
  GenerationRequest,
  LanguageModel,
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
} from "../../language/index.js";
import { renderChatTemplate, type Tokenizer } from "../../tokenizers/index.js";
import type { TaskAnswers } from "../metrics/metric.js";
import type { TaskRequest } from "../request.js";
import type { Task } from "../task.js";
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
  readonly signal?: AbortSignal | undefined;
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
          answers.generations.push(batches.generate({ prompt, stop, maxNewTokens }));
        }
      }
    }
    return answers;
  });
  await batches.run();
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

type Pending<Answer> = () => Answer;

/** Collects requests of all kinds, equal ones once, and asks for each kind in one call. */
class Batches {
  readonly #model: LanguageModel;
  readonly #common: { readonly maxLength?: number | undefined; readonly signal?: AbortSignal | undefined };
  readonly #scores = new Map<
    string,
    Batch<LogLikelihoodRequest, LogLikelihood> & { options: LogLikelihoodOptions }
  >();
  readonly #rolls = new Batch<string, RollingLogLikelihood>();
  readonly #generations = new Batch<GenerationRequest, Generation>();

  constructor(
    model: LanguageModel,
    common: { maxLength?: number | undefined; signal?: AbortSignal | undefined },
  ) {
    this.#model = model;
    this.#common = common;
  }

  score(request: LogLikelihoodRequest, options: LogLikelihoodOptions): Pending<LogLikelihood> {
    const key = JSON.stringify(options);
    const batch =
      this.#scores.get(key) ?? Object.assign(new Batch<LogLikelihoodRequest, LogLikelihood>(), { options });
    this.#scores.set(key, batch);
    return batch.add(request);
  }

  roll(text: string): Pending<RollingLogLikelihood> {
    return this.#rolls.add(text);
  }

  generate(request: GenerationRequest): Pending<Generation> {
    return this.#generations.add(request);
  }

  async run(): Promise<void> {
    for (const batch of this.#scores.values()) {
      await batch.run((requests) =>
        this.#model.logLikelihood(requests, { ...batch.options, ...this.#common }),
      );
    }
    await this.#rolls.run((texts) => this.#model.rollingLogLikelihood(texts, this.#common));
    await this.#generations.run((requests) => this.#model.generate(requests, this.#common));
  }
}

/** Requests of one kind, equal ones once. */
class Batch<Request, Answer> {
  readonly #requests: Request[] = [];
  readonly #places = new Map<string, number>();
  #answers: readonly Answer[] = [];

  add(request: Request): Pending<Answer> {
    const key = JSON.stringify(request);
    const place = this.#places.get(key) ?? this.#requests.push(request) - 1;
    this.#places.set(key, place);
    return () => this.#answers[place]!;
  }

  async run(ask: (requests: readonly Request[]) => Promise<readonly Answer[]>): Promise<void> {
    if (this.#requests.length > 0) this.#answers = await ask(this.#requests);
  }
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
