import type {
  Generation,
  GenerationRequest,
  LanguageModel,
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
} from "../../language/index.js";

/** An answer that is there once all were asked for. */
export type Pending<Answer> = () => Answer;

/** Collects requests of all kinds, equal ones once, and asks for each kind in one call. */
export class Batches {
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
