import { createRandom } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";

/** A row of a data set by column. */
export interface DictSample {
  readonly data: TableRow;
}

/** How many rows are taken, and which. */
export interface RowLimit {
  /** At most so many; a larger number than there are rows takes all. */
  readonly rows: number;
  /** The `first` ones, or a `sample` that depends on the seed and the number of rows alone. Default `sample`. */
  readonly choose?: "first" | "sample" | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/** A row and its place in the whole data set, from 0. */
export interface PlacedSample<Sample> {
  readonly index: number;
  readonly sample: Sample;
}

/** The rows of one use of a data set. Close it. */
export interface OpenedRows<Sample> {
  /** Rows of the data set. */
  readonly total: number;
  /** Rows that are taken. */
  readonly used: number;
  /** Those, by ascending place, read anew with each call. */
  rows(): AsyncIterable<PlacedSample<Sample>>;
  close(): Promise<void>;
}

/** Rows at hand: as often as they are asked for, until they are closed. */
export interface RowSource<Sample> {
  rows(): Iterable<Sample> | AsyncIterable<Sample>;
  close?(): Promise<void>;
}

/**
 * Rows by a name. What is taken of them is a matter of each use: nothing of one limits or changes another.
 */
export abstract class BaseDataset<Sample = DictSample> implements AsyncIterable<Sample> {
  readonly datasetId: string;

  constructor(datasetId: string) {
    this.datasetId = datasetId;
  }

  /** The name of its class. */
  get type(): string {
    return this.constructor.name;
  }

  /** Fetches what is needed to read rows, perhaps several times. */
  protected abstract source(signal: AbortSignal | undefined): Promise<RowSource<Sample>> | RowSource<Sample>;

  /**
   * Counts the rows and chooses among them.
   * @throws what keeps the rows from being read; the signal's reason
   */
  async open(limit?: RowLimit, signal?: AbortSignal): Promise<OpenedRows<Sample>> {
    const source = await this.source(signal);
    const close = async () => source.close?.();
    try {
      let total = 0;
      for await (const _ of source.rows()) {
        if (++total % 1024 === 0) signal?.throwIfAborted();
      }
      const chosen = chosenPlaces(total, limit);
      return {
        total,
        used: chosen?.size ?? Math.min(total, limit?.rows ?? total),
        rows: () => placed(source, { chosen, limit: limit?.rows }),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** The rows that a limit takes, all in memory. */
  async load(limit?: RowLimit, signal?: AbortSignal): Promise<Sample[]> {
    const opened = await this.open(limit, signal);
    try {
      const samples: Sample[] = [];
      for await (const { sample } of opened.rows()) samples.push(sample);
      return samples;
    } finally {
      await opened.close();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sample> {
    const source = await this.source(undefined);
    try {
      yield* source.rows();
    } finally {
      await source.close?.();
    }
  }

  /** Rows of the whole data set. */
  async length(signal?: AbortSignal): Promise<number> {
    const opened = await this.open(undefined, signal);
    await opened.close();
    return opened.total;
  }

  toString(): string {
    return `${this.type}(${this.datasetId})`;
  }
}

/** Undefined where a beginning is taken, or all. */
function chosenPlaces(total: number, limit: RowLimit | undefined): Set<number> | undefined {
  if (limit === undefined || limit.rows >= total || limit.choose === "first") return undefined;
  return new Set(createRandom(limit.seed ?? 0, "rows").sample(total, limit.rows));
}

async function* placed<Sample>(
  source: RowSource<Sample>,
  {
    chosen,
    limit = Number.POSITIVE_INFINITY,
  }: { chosen: Set<number> | undefined; limit: number | undefined },
): AsyncGenerator<PlacedSample<Sample>> {
  let index = 0;
  let taken = 0;
  for await (const sample of source.rows()) {
    if (taken >= limit) return;
    if (chosen?.has(index) ?? true) {
      taken += 1;
      yield { index, sample };
    }
    index += 1;
  }
}
