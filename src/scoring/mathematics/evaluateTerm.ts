import { COMPLEX_FUNCTIONS, type Complex } from "./complex.js";
import {
  greatestDivisor,
  integer,
  isLong,
  plus,
  power,
  type Rational,
  rational,
  times,
  toDouble,
} from "./rational.js";
import type { Term } from "./term.js";

/** The exact fraction that a term comes to; undefined where it is none, or too long a number. */
export function exactValue(term: Term): Rational | undefined {
  const value = exact(term);
  return value === undefined || isLong(value) ? undefined : value;
}

/**
 * The complex number that a term comes to, with numbers for its names, in double precision; undefined where it has none or
 * holds a function without a rule here.
 */
export function approximateValue(term: Term, names: ReadonlyMap<string, Complex>): Complex | undefined {
  if (term.kind === "number") return [toDouble(term.value), 0];
  if (term.kind === "symbol") return CONSTANTS.get(term.name) ?? names.get(term.name);
  const of: Complex[] = [];
  for (const one of term.of) {
    const value = approximateValue(one, names);
    if (value === undefined) return undefined;
    of.push(value);
  }
  const value = COMPLEX_FUNCTIONS.get(term.name)?.(of);
  return value?.every(Number.isFinite) ? value : undefined;
}

/** Names that are numbers. */
export const CONSTANTS: ReadonlyMap<string, Complex> = new Map<string, Complex>([
  ["Pi", [Math.PI, 0]],
  ["ExponentialE", [Math.E, 0]],
  ["ImaginaryUnit", [0, 1]],
]);

function exact(term: Term): Rational | undefined {
  if (term.kind === "number") return term.value;
  if (term.kind === "symbol") return undefined;
  const of: Rational[] = [];
  for (const one of term.of) {
    const value = exactValue(one);
    if (value === undefined) return undefined;
    of.push(value);
  }
  const [a, b] = of;
  if (a === undefined) return undefined;
  switch (term.name) {
    case "Add":
      return of.slice(1).reduce<Rational | undefined>((sum, one) => sum && plus(sum, one), a);
    case "Multiply":
      return of.slice(1).reduce<Rational | undefined>((product, one) => product && times(product, one), a);
    case "Negate":
      return { ...a, over: -a.over };
    case "Divide":
      return b && rational(a.over * b.under, a.under * b.over, a.decimal || b.decimal);
    case "Power":
      return b?.under === 1n ? power(a, b.over) : b && root(a, b);
    case "Sqrt":
      return root(a, { over: 1n, under: 2n, decimal: false });
    case "Root":
      return b?.under === 1n && b.over > 0n
        ? root(a, { over: 1n, under: b.over, decimal: false })
        : undefined;
    case "Abs":
      return { ...a, over: a.over < 0n ? -a.over : a.over };
    case "Floor":
    case "Ceil": {
      const floor = a.over / a.under - (a.over < 0n && a.over % a.under !== 0n ? 1n : 0n);
      return integer(term.name === "Floor" || a.under === 1n ? floor : floor + 1n);
    }
    case "Factorial":
      return a.under === 1n && a.over >= 0n && a.over <= 500n ? integer(product(1n, a.over)) : undefined;
    case "Binomial":
      return b && choose(a, b);
    case "Mod":
      return b?.under === 1n && a.under === 1n && b.over > 0n
        ? integer(((a.over % b.over) + b.over) % b.over)
        : undefined;
    case "GCD":
    case "LCM": {
      if (of.some(({ under }) => under !== 1n)) return undefined;
      const whole = of.map(({ over }) => (over < 0n ? -over : over));
      const both = (one: bigint, other: bigint) => {
        const shared = greatestDivisor(one, other);
        return term.name === "GCD" ? shared : shared === 0n ? 0n : (one * other) / shared;
      };
      return integer(whole.reduce(both));
    }
    case "Max":
      return of.reduce((best, one) => (toDouble(one) > toDouble(best) ? one : best));
    case "Min":
      return of.reduce((best, one) => (toDouble(one) < toDouble(best) ? one : best));
    default:
      return undefined;
  }
}

/** `a` to a fraction, where that is a fraction too; of a number with a point, to the nearest double. */
function root(a: Rational, { over, under }: Rational): Rational | undefined {
  if (under > 64n || over < -64n || over > 64n) return undefined;
  const [top, bottom] = [integerRoot(a.over, under), integerRoot(a.under, under)];
  if (top === undefined || bottom === undefined) return undefined;
  const found = rational(top, bottom, a.decimal);
  return found && power(found, over);
}

function integerRoot(value: bigint, degree: bigint): bigint | undefined {
  if (value < 0n) return undefined;
  let guess = BigInt(Math.round(Number(value) ** (1 / Number(degree))) || 0);
  for (guess = guess > 0n ? guess - 1n : 0n; guess ** degree < value; ) guess += 1n;
  return guess ** degree === value ? guess : undefined;
}

function choose(a: Rational, b: Rational): Rational | undefined {
  if (a.under !== 1n || b.under !== 1n || b.over < 0n || b.over > a.over || a.over > 500n) return undefined;
  return rational(product(a.over - b.over + 1n, a.over), product(1n, b.over));
}

function product(from: bigint, to: bigint): bigint {
  let all = 1n;
  for (let factor = from; factor <= to; factor += 1n) all *= factor;
  return all;
}
