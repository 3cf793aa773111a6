import { setImmediate } from "node:timers/promises";
import { ElenchusError, messageOf } from "../../base/index.js";
import type { ScorerRow } from "../../scoring/index.js";
import { mapInOrder } from "../../scoring/mapInOrder.js";
import type { OpenedRows } from "../datasets/baseDataset.js";
import type { BaseGenerator } from "../generators/baseGenerator.js";
import type { AnswerReader } from "./answerReader.js";
import type { FailedRow, PipelineParts } from "./pipeline.js";
import { StageCursor } from "./stages/stageCursor.js";
import type { StageStore } from "./stages/stageStore.js";

/** Rows to answer, and where they are kept. */
export interface AnswerRequest<Sample, Pre, Gen, In extends ScorerRow> {
  readonly opened: OpenedRows<Sample>;
  readonly processor: PipelineParts<Sample, Pre, Gen, In>["processor"];
  readonly reader: AnswerReader<Sample, Gen, In>;
  readonly generator: BaseGenerator<Pre, Gen>;
  readonly stages: StageStore;
  readonly signal?: AbortSignal | undefined;
  /** A row is done, whether it was answered or not. */
  done(index: number): void;
}

/** So many answers that fail one after the other are no fault of rows. */
const MOST_FAILURES = 25;

/**
 * Takes every row through preprocessing, generation and postprocessing, each step kept before the next. Steps that are
 * in the stages are not done again. A row that fails is noted, and the others go on.
 * @throws what no other row would do better with: CAPABILITY_MISSING, a refused key, threads that do not work, or
 *   answers that fail one after the other; what the stages or the data throw; the signal's reason
 */
export async function answerRows<Sample, Pre, Gen, In extends ScorerRow>(
  request: AnswerRequest<Sample, Pre, Gen, In>,
): Promise<void> {
  const { generator, signal } = request;
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const work = new RowWork(request, either);
  const underWay = new Set<Promise<unknown>>();
  const tracked = (batch: readonly Item<Sample>[]) => {
    const run = work.run(batch);
    underWay.add(run);
    return run.finally(() => underWay.delete(run));
  };
  try {
    const batches = batched(pending(request, either), generator.batchSize);
    for await (const _ of mapInOrder(batches, generator.concurrency, tracked)) either.throwIfAborted();
  } catch (error) {
    failed.abort(error);
    // Nothing may be written behind the back of whoever hears of the error.
    await Promise.allSettled(underWay);
    throw error;
  }
}

/** A row on its way, with what is known of it from before. */
interface Item<Sample> {
  readonly index: number;
  readonly sample: Sample;
  readonly pre: unknown;
  readonly gen: unknown;
}

/** Rows without their last step. */
async function* pending<Sample, Pre, Gen, In extends ScorerRow>(
  { opened, stages, done }: AnswerRequest<Sample, Pre, Gen, In>,
  signal: AbortSignal,
): AsyncGenerator<Item<Sample>> {
  const finished = new StageCursor(stages, "postprocessed");
  const generated = new StageCursor(stages, "generated");
  const preprocessed = new StageCursor(stages, "preprocessed");
  let passed = 0;
  for await (const { index, sample } of opened.rows()) {
    signal.throwIfAborted();
    if ((await finished.at(index)) !== undefined) {
      done(index);
      // What is only counted must not hold up everything else.
      if (++passed % 256 === 0) await setImmediate();
      continue;
    }
    const gen = await generated.at(index);
    const pre = gen === undefined ? await preprocessed.at(index) : undefined;
    yield { index, sample, pre, gen };
  }
}

async function* batched<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The steps of rows. */
class RowWork<Sample, Pre, Gen, In extends ScorerRow> {
  readonly #request: AnswerRequest<Sample, Pre, Gen, In>;
  readonly #signal: AbortSignal;
  /** Answers that have failed since the last that came. */
  #failures = 0;

  constructor(request: AnswerRequest<Sample, Pre, Gen, In>, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  async run(batch: readonly Item<Sample>[]): Promise<void> {
    const { stages } = this.#request;
    const answered = batch.flatMap((item) =>
      item.gen === undefined ? [] : [{ item, gen: item.gen as Gen }],
    );
    // Together: a store writes at once what comes at once.
    const prepared = await Promise.all(
      batch
        .filter(({ gen }) => gen === undefined)
        .map(async (item) => ({
          item,
          pre: (item.pre as Pre | undefined) ?? (await this.#preprocessed(item)),
        })),
    );
    const asked = prepared.flatMap(({ item, pre }) => (pre === undefined ? [] : [{ item, pre }]));
    const generated = await this.#generated(asked);
    await Promise.all(generated.map(({ item, gen }) => stages.append("generated", item.index, gen)));
    await Promise.all([...answered, ...generated].map(({ item, gen }) => this.#postprocess(item, gen)));
  }

  async #preprocessed({ index, sample }: Item<Sample>): Promise<Pre | undefined> {
    const { processor, stages } = this.#request;
    try {
      const pre = processor.preprocessSample(sample, index);
      await stages.append("preprocessed", index, pre);
      return pre;
    } catch (error) {
      await this.#fail(index, "preprocess", error);
      return undefined;
    }
  }

  /** All together; where that fails, one by one, so that it is known which. */
  async #generated(asked: readonly { item: Item<Sample>; pre: Pre }[]) {
    const found: { item: Item<Sample>; gen: Gen }[] = [];
    if (asked.length === 0) return found;
    try {
      const answers = await this.#answers(asked.map(({ pre }) => pre));
      asked.forEach(({ item }, place) => void found.push({ item, gen: answers[place]! }));
      this.#failures = 0;
      return found;
    } catch (error) {
      this.#requireRowsFault(error);
      if (asked.length === 1) {
        await this.#fail(asked[0]!.item.index, "generate", error);
        if (++this.#failures >= MOST_FAILURES) throw error;
        return found;
      }
    }
    for (const one of asked) found.push(...(await this.#generated([one])));
    return found;
  }

  async #answers(asked: readonly Pre[]): Promise<Gen[]> {
    const answers = await this.#request.generator.generate(asked, this.#signal);
    if (answers.length === asked.length) return answers;
    throw new ElenchusError(
      "RESULT_INVALID",
      `The generator gave ${answers.length} answers to ${asked.length} questions. Expected one for each.`,
    );
  }

  async #postprocess({ index, sample }: Item<Sample>, gen: Gen): Promise<void> {
    const { reader, stages, done } = this.#request;
    const read = await reader.read({ gen, sample, index }, this.#signal);
    if ("fault" in read) {
      await this.#fail(index, "postprocess", read.fault);
      return;
    }
    await stages.append("postprocessed", index, read.row);
    done(index);
  }

  async #fail(index: number, stage: FailedRow["stage"], error: unknown): Promise<void> {
    this.#requireRowsFault(error);
    const code = error instanceof ElenchusError ? error.code : "INTERNAL";
    await this.#request.stages.append("failed", index, { stage, code, message: messageOf(error) });
    this.#request.done(index);
  }

  /** What every other row would fail by too, ends the work. */
  #requireRowsFault(error: unknown): void {
    this.#signal.throwIfAborted();
    if (error instanceof ElenchusError && (NO_ROWS_FAULT.has(error.code) || isKeyRefused(error))) throw error;
  }
}

/** A row may be refused for its length; a key is refused for all. */
function isKeyRefused({ code, details }: ElenchusError): boolean {
  return code === "ENDPOINT_REFUSED" && (details.status === 401 || details.status === 403);
}

const NO_ROWS_FAULT: ReadonlySet<string> = new Set([
  "CAPABILITY_MISSING",
  "CONFIG_VALUE",
  "CONFIG_INVALID",
  "BACKEND_UNAVAILABLE",
  "USAGE",
  "RESULT_INVALID",
  "STORAGE_FAILED",
  "PATH_UNWRITABLE",
  "RECORD_CORRUPT",
]);
