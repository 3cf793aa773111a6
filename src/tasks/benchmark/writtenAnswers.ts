import type { Generation, LogLikelihood, RollingLogLikelihood } from "../../language/index.js";
import type { SampleValue, TaskAnswers } from "../metrics/metric.js";

/** Answers as they are stored: JSON has no infinities, and a continuation that cannot be has minus infinity. */
export interface WrittenAnswers {
  readonly scores: readonly WrittenScore[];
  readonly rolls: readonly WrittenRoll[];
  readonly generations: readonly Omit<Generation, "tokens">[];
}

/** A number as it is stored. */
export type WrittenNumber = number | "-Infinity" | "Infinity" | "NaN";
/** What a metric measured on a document, as it is stored. */
export type WrittenValue = WrittenNumber | readonly WrittenNumber[];

interface WrittenScore extends Omit<LogLikelihood, "logLikelihood" | "tokenLogLikelihoods"> {
  readonly logLikelihood: WrittenNumber;
  readonly tokenLogLikelihoods: readonly WrittenNumber[];
}
interface WrittenRoll extends Omit<RollingLogLikelihood, "logLikelihood" | "tokenLogLikelihoods"> {
  readonly logLikelihood: WrittenNumber;
}

/** Log probabilities of single tokens of whole texts are left out: no metric reads them, and there are many. */
export function writeAnswers({ scores, rolls, generations }: TaskAnswers): WrittenAnswers {
  return {
    scores: scores.map((score) => ({
      ...score,
      logLikelihood: written(score.logLikelihood),
      tokenLogLikelihoods: score.tokenLogLikelihoods.map(written),
    })),
    rolls: rolls.map(({ tokenLogLikelihoods: _, ...roll }) => ({
      ...roll,
      logLikelihood: written(roll.logLikelihood),
    })),
    generations: generations.map(({ tokens: _, ...generation }) => generation),
  };
}

/** Answers as metrics read them. */
export function readAnswers({ scores, rolls, generations }: WrittenAnswers): TaskAnswers {
  return {
    scores: scores.map((score) => ({
      ...score,
      logLikelihood: Number(score.logLikelihood),
      tokenLogLikelihoods: score.tokenLogLikelihoods.map(Number),
    })),
    rolls: rolls.map((roll) => ({
      ...roll,
      logLikelihood: Number(roll.logLikelihood),
      tokenLogLikelihoods: [],
    })),
    generations: generations.map((generation) => ({ ...generation, tokens: undefined })),
  };
}

export function writeValue(value: SampleValue): WrittenValue {
  return typeof value === "number" ? written(value) : value.map(written);
}

export function readValue(value: WrittenValue): SampleValue {
  return typeof value === "object" ? value.map(Number) : Number(value);
}

function written(value: number): WrittenNumber {
  return Number.isFinite(value) ? value : (String(value) as WrittenNumber);
}
