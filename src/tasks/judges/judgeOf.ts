import {
  EndpointLanguageModel,
  type Generation,
  type GenerationRequest,
  type LanguageModel,
} from "../../language/index.js";
import type { JudgeMessage, JudgeModel, JudgeOptions } from "../../scoring/index.js";

/**
 * A language model as a judge. A server is asked each question by itself; a model on this machine gets those that
 * have come together while it was busy, as one batch.
 */
export function judgeOf(model: LanguageModel): JudgeModel {
  if (model instanceof EndpointLanguageModel) {
    return {
      name: model.name,
      async ask(messages, options, signal) {
        const [answer] = await model.generate([questionOf(messages, options)], { signal });
        return judgeAnswer(answer!);
      },
      post: (path, body, signal) => model.post(path, body, signal),
    };
  }
  const batches = new Batches(model);
  return {
    name: model.name,
    ask: async (messages, options, signal) => {
      signal?.throwIfAborted();
      return judgeAnswer(await batches.answer(questionOf(messages, options), signal));
    },
  };
}

function questionOf(messages: readonly JudgeMessage[], options: JudgeOptions): GenerationRequest {
  const { temperature, maxTokens: maxNewTokens, seed } = options;
  return { prompt: messages, temperature, maxNewTokens, seed };
}

function judgeAnswer({ text, tokens, usage }: Generation) {
  return { text, inputTokens: usage?.input, outputTokens: usage?.output ?? tokens?.length };
}

interface Waiting {
  readonly request: GenerationRequest;
  readonly signal: AbortSignal | undefined;
  resolve(answer: Generation): void;
  reject(error: unknown): void;
}

/** Questions that wait for a model that does one thing at a time. */
class Batches {
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(private readonly model: LanguageModel) {}

  answer(request: GenerationRequest, signal: AbortSignal | undefined): Promise<Generation> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, signal, resolve, reject });
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    // Those of the same turn of the event loop are still to come.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.filter(({ signal }) => signal === this.#waiting[0]!.signal);
      this.#waiting = this.#waiting.filter((one) => !batch.includes(one));
      await this.#answered(batch);
    }
    this.#busy = false;
  }

  async #answered(batch: readonly Waiting[]): Promise<void> {
    try {
      const requests = batch.map(({ request }) => request);
      const answers = await this.model.generate(requests, { signal: batch[0]!.signal });
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place]!);
    } catch (error) {
      // One question that cannot be read must not cost the others theirs.
      if (batch.length > 1 && !batch[0]!.signal?.aborted)
        for (const one of batch) await this.#answered([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
