import type { Logger } from "../../base/index.js";
import type {
  NamedResults,
  Scorer,
  ScorerMetrics,
  ScorerRow,
  ScoringSurroundings,
} from "../../scoring/index.js";
import type { BaseDataset, RowLimit } from "../datasets/baseDataset.js";
import type { BaseGenerator } from "../generators/baseGenerator.js";
import type { BaseGeneratorProcessor } from "../processors/baseProcessor.js";
import type { StageStore } from "./stages/stageStore.js";

/** What an evaluation is put together from. */
export interface PipelineParts<Sample, Pre, Gen, ScorerIn extends ScorerRow> {
  readonly dataset: BaseDataset<Sample>;
  /** All rows when absent. */
  readonly limit?: RowLimit | undefined;
  readonly processor: BaseGeneratorProcessor<Sample, Pre, Gen, ScorerIn>;
  /** By what name, and with which params, a thread can make the same processor. Absent: answers are read here. */
  readonly processorSpec?: ProcessorSpec | undefined;
  readonly generator: BaseGenerator<Pre, Gen>;
  readonly scorers: readonly LabelledScorer[];
}

/** A registered processor, or a benchmark task by its name. */
export interface ProcessorSpec {
  readonly name: string;
  readonly params?: unknown;
  /** What the name stands for here: the entry of the registry, or the task. */
  readonly entry: object;
}

/** A scorer with its params, and what its metrics are called by. */
export interface LabelledScorer {
  /** One of a kind within an evaluation. */
  readonly label: string;
  readonly scorer: Scorer;
  readonly params?: unknown;
}

/** What surrounds an evaluation. */
export interface PipelineSurroundings {
  /** What is in it is not done again. Default: memory. */
  readonly stages?: StageStore | undefined;
  /** Stops within a row; its reason is thrown, and what was done stays in the stages. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far it is, row by row. */
  readonly progress?: ((progress: PipelineProgress) => void) | undefined;
  readonly logger?: Logger | undefined;
  /** Opens the models that scorers ask. */
  readonly judges?: ScoringSurroundings["judges"];
  /** Where rows are judged, and answers are read. Default: here. */
  readonly threads?: ScoringSurroundings["threads"];
}

/** How far an evaluation is. */
export interface PipelineProgress {
  /** `answers`, or the label of a scorer. */
  readonly stage: string;
  /** Steps of the whole evaluation: one per row for its answer, and one for each scorer. */
  readonly done: number;
  readonly total: number;
}

/** A row that came no further. */
export interface FailedRow {
  readonly index: number;
  /** Where it failed. */
  readonly stage: "preprocess" | "generate" | "postprocess";
  readonly code: string;
  readonly message: string;
}

/** What an evaluation came to. The rows are in its stages. */
export interface PipelineResult {
  /** Rows of the data set, those taken of it, and those of them that were answered. */
  readonly rows: { readonly total: number; readonly used: number; readonly answered: number };
  /** How the rows fall short of those that a benchmark task has: an excerpt, a split that is missing. Absent: not at all. */
  readonly shortfall?: string;
  /** Rows without an answer, the first so many. */
  readonly failures: readonly FailedRow[];
  readonly scorers: readonly ScorerOutcome[];
  /** All metrics, `<label>:<metric>`; those that do not exist are left out. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** What one scorer came to. */
export interface ScorerOutcome {
  readonly label: string;
  readonly name: string;
  /** Null where no row could be judged. */
  readonly metrics: ScorerMetrics | null;
  readonly details: Readonly<Record<string, ScorerMetrics>> | null;
  /** By aggregation function, where the scorer is made of such. */
  readonly aggregated: NamedResults | null;
  /** Rows that were judged, and those that could not be. */
  readonly judged: number;
  readonly unjudged: number;
  /** Where its rows are among the stages. */
  readonly stage: `scored:${string}`;
}
