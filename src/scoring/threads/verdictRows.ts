import type { RowWork } from "../../base/index.js";
import { type VerdictRules, verdictIn } from "../judge/verdict.js";

/** In a thread: each row is an answer of a judge, and comes out as its verdict. */
export function makeRowWork(rules: unknown): RowWork {
  return (text) => verdictIn(text as string, rules as VerdictRules);
}
