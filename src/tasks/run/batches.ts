import type {
  Generation,
  GenerationOptions,
  GenerationRequest,
  LanguageModel,
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
  RollingOptions,
} from "../../language/index.js";
import { RequestCounter, type RequestProgress } from "./requestCounter.js";

/** An answer that is there once all were asked for. */
export type Pending<Answer> = () => Answer;

/** Collects requests of all kinds, equal ones once, and asks for each kind, and each way of reading it, in one call. */
export class Batches {
  readonly #model: LanguageModel;
  readonly #common: { readonly maxLength?: number | undefined; readonly signal?: AbortSignal | undefined };
  readonly #scores = new Map<string, Batch<LogLikelihoodRequest, LogLikelihood, LogLikelihoodOptions>>();
  readonly #rolls = new Batch<string, RollingLogLikelihood, RollingOptions>({});
  readonly #generations = new Map<string, Batch<GenerationRequest, Generation, GenerationOptions>>();

  constructor(
    model: LanguageModel,
    common: { maxLength?: number | undefined; signal?: AbortSignal | undefined },
  ) {
    this.#model = model;
    this.#common = common;
  }

  score(request: LogLikelihoodRequest, options: LogLikelihoodOptions): Pending<LogLikelihood> {
    return batchOf(this.#scores, options).add(request);
  }

  roll(text: string): Pending<RollingLogLikelihood> {
    return this.#rolls.add(text);
  }

  generate(request: GenerationRequest, options: GenerationOptions): Pending<Generation> {
    return batchOf(this.#generations, options).add(request);
  }

  /** @param onProgress hears of requests that are answered, equal ones as one */
  async run(onProgress?: (progress: RequestProgress) => void): Promise<void> {
    const common = this.#common;
    const batches = [...this.#scores.values(), this.#rolls, ...this.#generations.values()];
    const counter = new RequestCounter(
      batches.reduce((sum, { size }) => sum + size, 0),
      onProgress,
    );
    for (const batch of this.#scores.values()) {
      await batch.run(counter, (requests, options, onAnswered) =>
        this.#model.logLikelihood(requests, { ...options, ...common, onAnswered }),
      );
    }
    await this.#rolls.run(counter, (texts, _, onAnswered) =>
      this.#model.rollingLogLikelihood(texts, { ...common, onAnswered }),
    );
    for (const batch of this.#generations.values()) {
      await batch.run(counter, (requests, options, onAnswered) =>
        this.#model.generate(requests, { ...options, ...common, onAnswered }),
      );
    }
  }
}

/** The batch of requests with these options. */
function batchOf<Request, Answer, Options>(
  batches: Map<string, Batch<Request, Answer, Options>>,
  options: Options,
): Batch<Request, Answer, Options> {
  const key = JSON.stringify(options);
  const batch = batches.get(key) ?? new Batch<Request, Answer, Options>(options);
  batches.set(key, batch);
  return batch;
}

/** Requests of one kind, equal ones once. */
class Batch<Request, Answer, Options> {
  readonly #options: Options;
  readonly #requests: Request[] = [];
  readonly #places = new Map<string, number>();
  #answers: readonly Answer[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  add(request: Request): Pending<Answer> {
    const key = JSON.stringify(request);
    const place = this.#places.get(key) ?? this.#requests.push(request) - 1;
    this.#places.set(key, place);
    return () => this.#answers[place]!;
  }

  get size(): number {
    return this.#requests.length;
  }

  async run(
    counter: RequestCounter,
    ask: (
      requests: readonly Request[],
      options: Options,
      onAnswered: (count: number, known?: boolean) => void,
    ) => Promise<readonly Answer[]>,
  ): Promise<void> {
    if (this.size === 0) return;
    const asked = counter.begin(this.size);
    this.#answers = await ask(this.#requests, this.#options, asked.onAnswered);
    asked.finish();
  }
}
