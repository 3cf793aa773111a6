import { ElenchusError, entryFile, type Logger, loadedModules } from "../../base/index.js";
import type {
  Generation,
  LanguageModel,
  LogLikelihood,
  ModelReference,
  ModelSurroundings,
  RollingLogLikelihood,
  TokenLogits,
} from "../../language/index.js";
import { callWorker, type WorkerCall } from "../../trainers/workerCall.js";
import { WorkerProcess, type WorkerProgram } from "../../trainers/workerProcess.js";
import type { Completions } from "../completions/completions.js";
import { abortable } from "./abortable.js";
import { type FromModel, fromModel, type ModelQuestion, type ToModel } from "./modelMessages.js";
import { Turns } from "./turns.js";

/** What a model's process is made of. */
export interface ModelProcessOptions extends Pick<ModelSurroundings, "engine" | "backend" | "threads"> {
  readonly reference: ModelReference;
  readonly results: string;
  readonly hub?: ModelSurroundings["hub"];
  readonly logger: Logger;
}

/** What a process says of its model. */
export type ModelFacts = Omit<Extract<FromModel, { kind: "ready" }>, "kind">;

/** Seconds until a model is loaded, its files fetched. */
const LOADING = 3600;
/** Seconds until a question is answered: a whole benchmark may be one. */
const ANSWERING = 86_400;
/** Seconds from the word to stop until the process is ended: it hears between two passes. */
const GRACE = 20;

const PROGRAM: WorkerProgram<FromModel> = {
  entry: entryFile(import.meta.url, "./modelMain"),
  messages: fromModel,
};

/**
 * A model in a process of its own, so that whoever asks it goes on with other things. Questions are asked one behind the
 * other. A process that dies fails the question it had, and the next question starts another one.
 */
export class ModelProcess {
  readonly #options: ModelProcessOptions;
  readonly #closing = new AbortController();
  #process: WorkerProcess<ToModel, FromModel> | undefined;
  readonly #turns = new Turns();
  /** While the process is started anew. */
  #reopening: Promise<unknown> | undefined;
  #questions = 0;

  constructor(options: ModelProcessOptions) {
    this.#options = options;
  }

  /** Number of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#process?.usable ? this.#process.pid : undefined;
  }

  /** Loads the model. @throws why it cannot be opened; WORKER_DIED */
  async open(): Promise<ModelFacts> {
    this.#closing.signal.throwIfAborted();
    const { reference, results, hub, logger, engine, backend, threads } = this.#options;
    const started = new WorkerProcess<ToModel, FromModel>("model", logger, PROGRAM);
    this.#process = started;
    try {
      const ready = await this.#call({
        process: started,
        message: {
          kind: "start",
          start: {
            ...{ reference, modules: loadedModules(), results, hub: hub?.settings },
            computing: { engine, backend, threads },
            logLevel: logger.level,
          },
        },
        what: "that loads a model",
        seconds: LOADING,
        grace: GRACE,
        signal: this.#closing.signal,
        answers: ({ kind }) => kind === "ready",
      });
      return ready as Extract<FromModel, { kind: "ready" }> & ModelFacts;
    } catch (error) {
      started.kill();
      throw error;
    }
  }

  /** The model, as others know models. */
  languageModel({
    name,
    contextLength,
    tokenizer,
  }: Pick<LanguageModel, "name" | "contextLength" | "tokenizer">): LanguageModel {
    return {
      ...{ name, contextLength, tokenizer },
      generate: async (requests, { signal, onText, onAnswered, ...options } = {}) =>
        (await this.#ask(
          { method: "generate", requests, options },
          { signal, onText, onAnswered },
        )) as Generation[],
      logLikelihood: async (requests, { signal, onAnswered, ...options } = {}) =>
        (await this.#ask(
          { method: "logLikelihood", requests, options },
          { signal, onAnswered },
        )) as LogLikelihood[],
      rollingLogLikelihood: async (requests, { signal, onAnswered, ...options } = {}) =>
        (await this.#ask(
          { method: "rollingLogLikelihood", requests, options },
          { signal, onAnswered },
        )) as RollingLogLikelihood[],
      forward: async (requests, { signal } = {}) =>
        (await this.#ask({ method: "forward", requests }, { signal })) as TokenLogits[],
    };
  }

  /** Answers of OpenAI's protocol, made where the model is: their tokens and logits stay there. */
  get completions(): Completions {
    return {
      text: async (request, { signal, onText, ...limits }) =>
        (await this.#ask({ method: "text", request, limits }, { signal, onText })) as never,
      chat: async (request, { signal, onText, ...limits }) =>
        (await this.#ask({ method: "chat", request, limits }, { signal, onText })) as never,
    };
  }

  /** Ends the process; what is asked fails. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the model is not needed any more"));
    const process = this.#process;
    process?.kill();
    await process?.gone;
  }

  /** Asks when all questions before are answered. @throws what the model throws; WORKER_DIED; the signal's reason */
  #ask(question: ModelQuestion, hearing: Hearing): Promise<unknown> {
    return this.#turns.take(hearing.signal, () => this.#answer(question, hearing));
  }

  /** Its last lines are for the log: jobs, batches and replies show the error to whoever asked. */
  async #call(call: WorkerCall<ToModel, FromModel>): Promise<FromModel> {
    try {
      return await callWorker(call);
    } catch (error) {
      if (!(error instanceof ElenchusError) || typeof error.details.told !== "string") throw error;
      const { told, exit_code, signal } = error.details;
      this.#options.logger.error(error.message);
      throw new ElenchusError(error.code, told, { details: { exit_code, signal } });
    }
  }

  /** Starts another process in the place of one that has died: for all who ask, whoever goes away meanwhile. */
  #reopen(): Promise<unknown> {
    this.#reopening ??= (async () => {
      try {
        await this.#process?.gone;
        await this.open();
      } finally {
        this.#reopening = undefined;
      }
    })();
    return this.#reopening;
  }

  async #answer(question: ModelQuestion, { signal, onText, onAnswered }: Hearing): Promise<unknown> {
    this.#closing.signal.throwIfAborted();
    // A process that is loading still is usable already.
    if (this.#reopening || !this.#process?.usable) await abortable(this.#reopen(), signal);
    const either =
      signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    try {
      const answer = await this.#call({
        process: this.#process!,
        message: {
          kind: "ask",
          id: this.#questions++,
          question,
          tells: onText !== undefined || onAnswered !== undefined,
        },
        what: "that computes a model",
        seconds: ANSWERING,
        grace: GRACE,
        signal: either,
        hear(message) {
          if (message.kind === "text") onText?.({ index: message.index, text: message.text });
          else if (message.kind === "some") onAnswered?.(message.count);
          return undefined;
        },
        answers: ({ kind }) => kind === "answer",
      });
      return (answer as Extract<FromModel, { kind: "answer" }>).value;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }
}

interface Hearing {
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((piece: { index: number; text: string }) => void) | undefined;
  readonly onAnswered?: ((count: number) => void) | undefined;
}
