import type { Logger } from "../base/index.js";
import type { JudgeModels } from "./judge/judgeModel.js";
import type { ScoringThreads } from "./threads/scoringThreads.js";

/** A prepared row, by column: `generated_answer`, `expected_answer` and what a scorer needs beside them. */
export type ScorerRow = Readonly<Record<string, unknown>>;

/** What a scorer found out about one row. */
export interface Judgement {
  /** Null where the scorer comes to no verdict, or to one that is no number. */
  readonly score: number | null;
  /** The verdict by name, where it has one. */
  readonly category?: string;
  /** How much the row counts in an average. Absent: 1. */
  readonly weight?: number;
  /** Why, for people. */
  readonly feedback?: string;
  /** JSON-able facts beside the score. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Further fields of a scorer's own, JSON-able. */
  readonly [field: string]: unknown;
}

/** The result of one row: a judgement, or `score: null` and why the row could not be judged. */
export interface RowScore extends Judgement {
  /** Place in the input, from 0. */
  readonly index: number;
  /** The row's own `key`, if it has one. */
  readonly key?: string | number;
  readonly error?: string;
  /** Code of the error, where it is one of the catalogue. */
  readonly error_code?: string;
}

/** Metric names to values; null where a metric does not exist for so few rows. */
export type ScorerMetrics = Readonly<Record<string, number | null>>;

/** What each aggregation function found, by its name. */
export type NamedResults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Gathers judgements into metrics: sums to the very end, so that rows need not be kept. */
export interface ScoreAggregation<J extends Judgement = Judgement> {
  add(judgement: J): void;
  metrics(): ScorerMetrics;
  /** Finer figures, by group and name. */
  details?(): Readonly<Record<string, ScorerMetrics>>;
  /** The same figures by aggregation function, where it is made of such. */
  named?(): NamedResults;
  /** Has what takes long, such as intervals, done elsewhere. Called once, when all judgements are there. */
  settle?(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void>;
}

/** A scoring under way. */
export interface Scoring {
  /** Results in the order of the input, each as soon as it and all before it are there. To be read once. */
  readonly rows: AsyncIterable<RowScore>;
  /** Of the rows read so far; null where none could be judged. Whole once `rows` has ended. */
  metrics(): ScorerMetrics | null;
  details(): Readonly<Record<string, ScorerMetrics>> | null;
  /** By aggregation function, each as it is defined for no rows at all too; null where the scorer has metrics of its own kind. */
  aggregated(): NamedResults | null;
}

/** What a scorer may need of the world; without it, a scorer that asks a model by reference is refused. */
export interface ScoringSurroundings {
  /** Opens the models that params name. */
  readonly judges?: JudgeModels | undefined;
  readonly logger?: Logger | undefined;
  /**
   * Where rows are judged, and answers of models read, within limits of time and size. Default: here, without limits.
   * Scorers that wait for others are here in any case.
   */
  readonly threads?: ScoringThreads | undefined;
  /**
   * What this scorer, with these params, has said of the row at that place before; without an `error`. Asked once for
   * each place, in any order.
   */
  readonly known?: ((place: number) => RowScore | undefined) | undefined;
}

/** The work of one scoring, its params settled. */
export interface ScoringWork<J extends Judgement = Judgement> {
  /**
   * Rows judged at once, by work that waits for others: for models, for servers. Absent: it computes, one row after the
   * other, and may be done in threads.
   */
  readonly concurrency?: number;
  /** Before the first row. @throws what ends the scoring */
  start?(signal: AbortSignal | undefined): Promise<void>;
  /** @throws whatever makes the row one that cannot be judged; the message is recorded */
  judge(row: ScorerRow, index: number, signal: AbortSignal | undefined): J | Promise<J>;
  readonly aggregation: ScoreAggregation<J>;
  /** When the rows have ended, or are read no further. */
  end?(): Promise<void>;
}

/** Judges prepared rows. */
export interface Scorer {
  readonly name: string;
  /** One line for `elenchus list scorers`. */
  readonly description: string;
  /** Columns without which no row can be judged. */
  readonly columns: readonly string[];
  /**
   * What a scoring does with each row, for those who do it somewhere else. Absent: `score` is all there is.
   * @throws CONFIG_INVALID for params that do not fit
   */
  begin?(params: unknown, surroundings?: ScoringSurroundings): ScoringWork;
  /**
   * Judges rows as they come. One that cannot be judged gets `score: null` and an `error`; the others go on.
   * @param params values of this call; nothing of them is kept
   * @param signal ends the scoring between two rows, and requests under way
   * @throws CONFIG_INVALID for params that do not fit; while reading `rows`: what the source throws, the
   *   signal's reason, or why a model cannot be opened
   */
  score(
    rows: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
    params?: unknown,
    signal?: AbortSignal,
    surroundings?: ScoringSurroundings,
  ): Scoring;
}
