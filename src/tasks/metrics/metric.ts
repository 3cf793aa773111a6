import type { Generation, LogLikelihood, RollingLogLikelihood } from "../../language/index.js";
import type { TaskDocument } from "../document.js";
import type { ErrorOptions } from "./standardError.js";

/** A number of one document, or several that only mean something together with those of others. JSON-able. */
export type SampleValue = number | readonly number[];

/** A named number of a task: measured on every document, then brought together. */
export interface Metric {
  /** As its system calls it: `acc_norm`. */
  readonly name: string;
  /** Which way of reading an answer it is measured by, where there are several: `strict-match`. */
  readonly filter?: string;
  readonly higherIsBetter: boolean;
  score(document: TaskDocument, answers: TaskAnswers): SampleValue;
  /** Values of all documents, in their order and at least one, to one number. */
  aggregate(values: readonly SampleValue[]): number;
  /** How far the aggregate may be off by chance; undefined where that is not known. */
  standardError(values: readonly SampleValue[], options: ErrorOptions): number | undefined;
}

/** A model's answers to the requests of one document, kind by kind in their order. */
export interface TaskAnswers {
  /** Of `loglikelihood` and `span` requests. */
  readonly scores: readonly LogLikelihood[];
  readonly rolls: readonly RollingLogLikelihood[];
  readonly generations: readonly Generation[];
}
