import type { Complex } from "./complex.js";
import { approximateValue, CONSTANTS, exactValue } from "./evaluateTerm.js";
import { type Rational, rounded } from "./rational.js";
import { symbolsOf, type Term } from "./term.js";

/**
 * Whether two formulas are equal. Fractions exactly; where a number has a point, both rounded to `digits` places; words by
 * their letters; everything else when the two agree to ten digits with numbers put in for their names, each time another
 * set of them, which different formulas do not.
 */
export function equalTerms(a: Term, b: Term, digits: number): boolean {
  const [left, right] = [exactValue(a), exactValue(b)];
  if (left !== undefined && right !== undefined) return equalNumbers(left, right, digits);
  if (a.kind === "symbol" || b.kind === "symbol") {
    const [one, other] = [spelled(a), spelled(b)];
    if (one !== undefined && one === other) return true;
  }
  return alikeEverywhere(a, b) || JSON.stringify(a, plainNumbers) === JSON.stringify(b, plainNumbers);
}

function equalNumbers(a: Rational, b: Rational, digits: number): boolean {
  if (a.decimal || b.decimal) return rounded(a, digits) === rounded(b, digits);
  return a.over === b.over && a.under === b.under;
}

/** A name, or names side by side, as one word in small letters. */
function spelled(term: Term): string | undefined {
  if (term.kind === "symbol") return (SHORT.get(term.name) ?? term.name).toLowerCase();
  if (term.kind !== "call" || term.name !== "Multiply") return undefined;
  const words = term.of.map((one) => (one.kind === "symbol" ? spelled(one) : undefined));
  return words.every((word) => word !== undefined) ? words.join("") : undefined;
}

const SHORT = new Map([
  ["ExponentialE", "e"],
  ["ImaginaryUnit", "i"],
]);

function alikeEverywhere(a: Term, b: Term): boolean {
  const names = [...symbolsOf(b, symbolsOf(a))].filter((name) => !CONSTANTS.has(name)).sort();
  let agreements = 0;
  for (let trial = 0; trial < (names.length === 0 ? 1 : TRIALS); trial++) {
    const values = new Map(names.map((name, place) => [name, sample(trial, place)] as const));
    const [left, right] = [approximateValue(a, values), approximateValue(b, values)];
    if (left === undefined && right === undefined) continue;
    if (left === undefined || right === undefined || !close(left, right)) return false;
    agreements += 1;
  }
  return agreements >= (names.length === 0 ? 1 : ENOUGH);
}

const TRIALS = 12;
/** Trials in which both had a value. */
const ENOUGH = 3;

/** Numbers of both signs without any relation between them. */
function sample(trial: number, place: number): Complex {
  const mixed = Math.sin((trial + 1) * 12.9898 + (place + 1) * 78.233) * 43758.5453;
  return [((mixed - Math.floor(mixed)) * 2 - (trial % 3 === 0 ? 0 : 1)) * 3 + 0.0137, 0];
}

function close([a, b]: Complex, [c, d]: Complex): boolean {
  return Math.hypot(a - c, b - d) <= 1e-10 * Math.max(1e-3, Math.hypot(a, b), Math.hypot(c, d));
}

function plainNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
