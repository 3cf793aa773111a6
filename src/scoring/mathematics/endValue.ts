import { approximateValue, exactValue } from "./evaluateTerm.js";
import { toDouble } from "./rational.js";
import type { Term } from "./term.js";

/** The real number that an end of an interval is, infinity among them. */
export function endValue(term: Term): number | undefined {
  if (term.kind === "symbol" && term.name === "PositiveInfinity") return Number.POSITIVE_INFINITY;
  if (term.kind === "call" && term.name === "Negate") {
    const inner = endValue(term.of[0]!);
    return inner === undefined ? undefined : -inner;
  }
  const value = exactValue(term);
  if (value !== undefined) return toDouble(value);
  const [real, imaginary] = approximateValue(term, new Map()) ?? [];
  return imaginary === 0 ? real : undefined;
}
