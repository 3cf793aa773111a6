import type { LanguageModel } from "../../language/index.js";
import { usualPace } from "../generators/inferenceGenerator.js";
import { promptRequest, type QuestionForm } from "./questionForm.js";

/** How prompts are answered. */
export interface AnswerPromptsOptions extends QuestionForm {
  /** Rows of a batch for a model that is computed here, requests at a time for a server. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes an answer as it comes, in any order. */
  readonly onAnswer: (prompt: string, answer: string) => Promise<void>;
}

/** What became of the prompts. */
export interface AnsweredPrompts {
  readonly answered: number;
  /** Prompts without an answer, and why the first has none. */
  readonly failed: number;
  readonly firstFailure: unknown;
}

/** So many prompts without an answer, one after the other, and it is not the prompts. */
const HOPELESS = 10;

/**
 * Has a model answer prompts, each once. One that cannot be answered costs the others nothing.
 * @param prompts different ones
 * @throws the signal's reason; what the model throws ten times in a row, or to all
 */
export async function answerPrompts(
  model: LanguageModel,
  prompts: readonly string[],
  options: AnswerPromptsOptions,
): Promise<AnsweredPrompts> {
  const { onAnswer } = options;
  const { batchSize, concurrency } = usualPace(model, options.concurrency);
  const asking = new Asking(model, options);
  const batches = batchesOf(prompts, batchSize);
  const worker = async (): Promise<void> => {
    // One that fails closes the batches for all.
    for (const batch of batches) {
      const answers = await asking.answers(batch);
      for (const [place, answer] of answers.entries()) {
        if (answer !== undefined) await onAnswer(batch[place]!, answer);
      }
    }
  };
  await allSettled(Array.from({ length: concurrency }, worker));
  const { answered, failed, firstFailure } = asking;
  if (answered === 0 && failed > 0) throw firstFailure;
  return { answered, failed, firstFailure };
}

/** Asks a model, and counts what it cannot answer. */
class Asking implements AnsweredPrompts {
  answered = 0;
  failed = 0;
  firstFailure: unknown;
  #inARow = 0;

  constructor(
    private readonly model: LanguageModel,
    private readonly options: AnswerPromptsOptions,
  ) {}

  /** Undefined for a prompt that cannot be answered. Of a batch that fails each is asked by itself. */
  async answers(batch: readonly string[]): Promise<(string | undefined)[]> {
    const { settings, signal } = this.options;
    signal?.throwIfAborted();
    try {
      const requests = batch.map((prompt) => promptRequest(prompt, this.options));
      const answers = await this.model.generate(requests, { ...settings, signal });
      this.answered += batch.length;
      this.#inARow = 0;
      return answers.map(({ text }) => text);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (batch.length === 1) return [this.#failure(error)];
    }
    const single: (string | undefined)[] = [];
    for (const prompt of batch) single.push(...(await this.answers([prompt])));
    return single;
  }

  #failure(error: unknown): undefined {
    if (++this.#inARow >= HOPELESS) throw error;
    this.failed++;
    this.firstFailure ??= error;
  }
}

function* batchesOf(prompts: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < prompts.length; start += size) yield prompts.slice(start, start + size);
}

/** What is under way may end, and be kept, before the first failure is told. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}
