/** Real and imaginary part. */
export type Complex = readonly [number, number];

/** What the functions of terms come to, of complex numbers on the principal branch. */
export const COMPLEX_FUNCTIONS: ReadonlyMap<string, (of: readonly Complex[]) => Complex | undefined> =
  new Map<string, (of: readonly Complex[]) => Complex | undefined>([
    ["Add", (of) => of.reduce(([a, b], [c, d]) => [a + c, b + d])],
    ["Multiply", (of) => of.reduce(multiply)],
    ["Negate", ([z]) => z && [-z[0], -z[1]]],
    ["Divide", ([a, b]) => a && b && divide(a, b)],
    ["Power", ([a, b]) => a && b && complexPower(a, b)],
    ["Sqrt", ([z]) => z && complexPower(z, [0.5, 0])],
    ["Root", ([z, degree]) => z && degree && realRoot(z, degree)],
    ["Exp", ([z]) => z && exponential(z)],
    ["Ln", ([z]) => z && logarithm(z)],
    ["Log", ([z, base = [10, 0]]) => z && divide(logarithm(z), logarithm(base))],
    ["Lb", ([z]) => z && divide(logarithm(z), [Math.LN2, 0])],
    ["Abs", ([z]) => z && [Math.hypot(...z), 0]],
    ["Sin", ([z]) => z && sine(z)],
    ["Cos", ([z]) => z && cosine(z)],
    ["Tan", ([z]) => z && divide(sine(z), cosine(z))],
    ["Cot", ([z]) => z && divide(cosine(z), sine(z))],
    ["Sec", ([z]) => z && divide([1, 0], cosine(z))],
    ["Csc", ([z]) => z && divide([1, 0], sine(z))],
    ["Sinh", ([z]) => z && half(subtract(exponential(z), exponential([-z[0], -z[1]])))],
    ["Cosh", ([z]) => z && half(add(exponential(z), exponential([-z[0], -z[1]])))],
    ["Arcsin", ofReal(Math.asin)],
    ["Arccos", ofReal(Math.acos)],
    ["Arctan", ofReal(Math.atan)],
    ["Floor", ofReal(Math.floor)],
    ["Ceil", ofReal(Math.ceil)],
    ["Factorial", ofReal(factorial)],
    ["Binomial", ([n, k]) => n && k && [factorial(n[0]) / (factorial(k[0]) * factorial(n[0] - k[0])), 0]],
    ["Mod", ([a, b]) => a && b && [a[0] - b[0] * Math.floor(a[0] / b[0]), 0]],
    ["Max", (of) => [Math.max(...of.map(([a]) => a)), 0]],
    ["Min", (of) => [Math.min(...of.map(([a]) => a)), 0]],
  ]);

export function multiply([a, b]: Complex, [c, d]: Complex): Complex {
  return [a * c - b * d, a * d + b * c];
}

/** `a ** b`; whole powers by the power of the absolute value, so that reals stay real. */
export function complexPower(a: Complex, b: Complex): Complex {
  if (a[1] === 0 && b[1] === 0 && (a[0] >= 0 || Number.isInteger(b[0]))) return [a[0] ** b[0], 0];
  if (a[0] === 0 && a[1] === 0) return b[0] > 0 ? [0, 0] : [Number.NaN, 0];
  return exponential(multiply(b, logarithm(a)));
}

function add([a, b]: Complex, [c, d]: Complex): Complex {
  return [a + c, b + d];
}

function subtract([a, b]: Complex, [c, d]: Complex): Complex {
  return [a - c, b - d];
}

function half([a, b]: Complex): Complex {
  return [a / 2, b / 2];
}

function divide([a, b]: Complex, [c, d]: Complex): Complex {
  const size = c * c + d * d;
  return [(a * c + b * d) / size, (b * c - a * d) / size];
}

function exponential([a, b]: Complex): Complex {
  const size = Math.exp(a);
  return b === 0 ? [size, 0] : [size * Math.cos(b), size * Math.sin(b)];
}

function logarithm([a, b]: Complex): Complex {
  return [Math.log(Math.hypot(a, b)), Math.atan2(b, a)];
}

function sine([a, b]: Complex): Complex {
  return b === 0 ? [Math.sin(a), 0] : [Math.sin(a) * Math.cosh(b), Math.cos(a) * Math.sinh(b)];
}

function cosine([a, b]: Complex): Complex {
  return b === 0 ? [Math.cos(a), 0] : [Math.cos(a) * Math.cosh(b), -Math.sin(a) * Math.sinh(b)];
}

/** An odd root of a negative number is the negative one. */
function realRoot(z: Complex, degree: Complex): Complex {
  const odd = degree[1] === 0 && Math.abs(degree[0] % 2) === 1;
  if (z[1] === 0 && z[0] < 0 && odd) return [-((-z[0]) ** (1 / degree[0])), 0];
  return complexPower(z, divide([1, 0], degree));
}

function ofReal(of: (value: number) => number): (values: readonly Complex[]) => Complex | undefined {
  return ([z]) => (z === undefined || z[1] !== 0 ? undefined : [of(z[0]), 0]);
}

/** Of whole numbers by multiplying, else by Lanczos' approximation of the gamma function (g = 7, n = 9). */
function factorial(value: number): number {
  if (Number.isInteger(value)) {
    if (value < 0) return Number.NaN;
    let product = 1;
    for (let factor = 2; factor <= Math.min(value, 171); factor++) product *= factor;
    return product;
  }
  if (value < -0.5) return Math.PI / (Math.sin(Math.PI * (value + 1)) * factorial(-value - 1));
  const shifted = value + 7.5;
  const series = LANCZOS.reduce(
    (sum, weight, place) => sum + (place === 0 ? weight : weight / (value + place)),
    0,
  );
  return Math.sqrt(2 * Math.PI) * shifted ** (value + 0.5) * Math.exp(-shifted) * series;
}

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
