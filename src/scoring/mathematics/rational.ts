/** A fraction in lowest terms, its denominator above zero; `decimal` where a number with a point went into it. */
export interface Rational {
  readonly over: bigint;
  readonly under: bigint;
  readonly decimal: boolean;
}

/** `over / under` in lowest terms; undefined for a denominator of zero. */
export function rational(over: bigint, under = 1n, decimal = false): Rational | undefined {
  if (under === 0n) return undefined;
  const shared = greatestDivisor(over, under) * (under < 0n ? -1n : 1n);
  return { over: over / shared, under: under / shared, decimal };
}

export function integer(value: number | bigint): Rational {
  return { over: BigInt(value), under: 1n, decimal: false };
}

/** Reads digits with perhaps a sign, a point and an exponent (`-1.5e-3`); undefined for anything else. */
export function readDecimal(text: string): Rational | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = "", places = "", exponent = "0"] = found;
  if (whole === "" && places === "") return undefined;
  const digits = BigInt(`${whole}${places}`) * (sign === "-" ? -1n : 1n);
  const power = Number(exponent) - places.length;
  const scale = 10n ** BigInt(Math.abs(power));
  return power < 0
    ? rational(digits, scale, text.includes("."))
    : rational(digits * scale, 1n, text.includes("."));
}

export function plus(a: Rational, b: Rational): Rational | undefined {
  return rational(a.over * b.under + b.over * a.under, a.under * b.under, a.decimal || b.decimal);
}

export function times(a: Rational, b: Rational): Rational | undefined {
  return rational(a.over * b.over, a.under * b.under, a.decimal || b.decimal);
}

/** `a ** exponent`; undefined where that is no number or one of more than some thousand digits. */
export function power(a: Rational, exponent: bigint): Rational | undefined {
  const size = exponent < 0n ? -exponent : exponent;
  if (size * BigInt(bits(a.over) + bits(a.under)) > LARGEST_BITS) return undefined;
  const [over, under] = [a.over ** size, a.under ** size];
  return exponent < 0n ? rational(under, over, a.decimal) : rational(over, under, a.decimal);
}

/** Whether a number is too long to be worked with exactly. */
export function isLong({ over, under }: Rational): boolean {
  return BigInt(bits(over) + bits(under)) > LARGEST_BITS;
}

/** `value` times ten to the `digits`, rounded to the next integer, halves to the even one. */
export function rounded({ over, under }: Rational, digits: number): bigint {
  const scaled = over * 10n ** BigInt(digits);
  const floor = scaled / under - (scaled < 0n && scaled % under !== 0n ? 1n : 0n);
  const twice = (scaled - floor * under) * 2n;
  if (twice === under) return floor + (floor & 1n);
  return twice > under ? floor + 1n : floor;
}

/** The nearest double. */
export function toDouble({ over, under }: Rational): number {
  const excess = Math.max(bits(over), bits(under)) - 1000;
  if (excess <= 0) return Number(over) / Number(under);
  return Number(over >> BigInt(excess)) / Number(under >> BigInt(excess));
}

const LARGEST_BITS = 20_000n;

function bits(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

/** Of whole numbers; not negative. */
export function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
