import type { ZodType } from "zod";
import { ElenchusError } from "../base/index.js";
import type { Evaluation } from "./evaluation.js";
import { isDefault, neitherNor } from "./judgedEvaluation.js";

/** A class that extends one of the five. */
export interface EvaluationClass {
  new (options: never): Evaluation<unknown>;
  /** A zod schema of its options. */
  readonly options?: ZodType;
  /** One line for lists. */
  readonly description?: string;
}

/**
 * Looks at a class before anything is made of it.
 * @param which how it is known to whoever wrote it
 * @throws EVALUATION_CONFIG for what is no evaluation, and for one that overrides neither `check` nor `score`
 */
export function checkEvaluationClass(given: unknown, which: string): asserts given is EvaluationClass {
  const prototype: unknown = typeof given === "function" ? given.prototype : undefined;
  const members = (typeof prototype === "object" && prototype !== null ? prototype : {}) as Members;
  if (typeof members.measure !== "function" || typeof members.get !== "function") {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `${which} is no evaluation: expected a class with a method get(index) that extends RolloutEvaluation, EncodingEvaluation, PerplexityEvaluation, BitsPerByteEvaluation or PerplexityComparisonEvaluation.`,
    );
  }
  if (isDefault(members.score) && typeof members.check !== "function") {
    throw new ElenchusError("EVALUATION_CONFIG", neitherNor(which));
  }
}

interface Members {
  readonly measure?: unknown;
  readonly get?: unknown;
  readonly score?: unknown;
  readonly check?: unknown;
}
