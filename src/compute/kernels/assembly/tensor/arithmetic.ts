// Vector arithmetic that other kernels share. Everything here is inlined.

/** a * b + c: rounded once where relaxed SIMD is compiled for and the processor has it, twice otherwise. */
// @ts-ignore: decorator
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** Sum of the four lanes. */
// @ts-ignore: decorator
@inline
export function sumOf(x: v128): f32 {
  return (
    f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3))
  );
}

/** Largest of the four lanes. */
// @ts-ignore: decorator
@inline
export function maxOf(x: v128): f32 {
  return max(
    max(f32x4.extract_lane(x, 0), f32x4.extract_lane(x, 1)),
    max(f32x4.extract_lane(x, 2), f32x4.extract_lane(x, 3)),
  );
}

/** The first `count` (0 to 3) numbers, the other lanes zero: the end of a row, read without reading past it. */
// @ts-ignore: decorator
@inline
export function loadEnd(from: usize, count: i32): v128 {
  let x = f32x4.splat(0);
  if (count > 0) x = v128.load32_zero(from);
  if (count > 1) x = f32x4.replace_lane(x, 1, load<f32>(from, 4));
  if (count > 2) x = f32x4.replace_lane(x, 2, load<f32>(from, 8));
  return x;
}

/** Writes the first `count` (0 to 3) lanes. */
// @ts-ignore: decorator
@inline
export function storeEnd(to: usize, x: v128, count: i32): void {
  if (count > 0) store<f32>(to, f32x4.extract_lane(x, 0));
  if (count > 1) store<f32>(to, f32x4.extract_lane(x, 1), 4);
  if (count > 2) store<f32>(to, f32x4.extract_lane(x, 2), 8);
}

/** All bits of the first `count` lanes. */
// @ts-ignore: decorator
@inline
export function firstLanes(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}

const LOWEST: f32 = -87.33654;
const HIGHEST: f32 = 88.02;

/**
 * e^x to about 2 units in the last place: x = n ln 2 + r, the polynomial of the Cephes library (Moshier) for r.
 * Zero below -87.3, where the result would be denormal; at most e^88. NaN stays NaN.
 */
// @ts-ignore: decorator
@inline
export function exp(x: v128): v128 {
  const vanishes = f32x4.lt(x, f32x4.splat(LOWEST));
  // pmin and pmax hand on a NaN that stands first.
  x = f32x4.pmax(f32x4.pmin(x, f32x4.splat(HIGHEST)), f32x4.splat(LOWEST));
  const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504088896341)));
  let r = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.12194440e-4)));
  let y = f32x4.splat(1.9875691500e-4);
  y = madd(y, r, f32x4.splat(1.3981999507e-3));
  y = madd(y, r, f32x4.splat(8.3334519073e-3));
  y = madd(y, r, f32x4.splat(4.1665795894e-2));
  y = madd(y, r, f32x4.splat(1.6666665459e-1));
  y = madd(y, r, f32x4.splat(5.0000001201e-1));
  y = f32x4.add(madd(y, f32x4.mul(r, r), r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return v128.andnot(f32x4.mul(y, power), vanishes);
}

/** 1 / (1 + e^-x). */
// @ts-ignore: decorator
@inline
export function sigmoid(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp(f32x4.neg(x))));
}

/** The normal distribution (1 + erf(x / sqrt 2)) / 2, to 1e-7 (Abramowitz and Stegun 7.1.26). */
// @ts-ignore: decorator
@inline
export function normal(x: v128): v128 {
  const one = f32x4.splat(1);
  const size = f32x4.mul(f32x4.abs(x), f32x4.splat(0.70710678118654752));
  const t = f32x4.div(one, madd(size, f32x4.splat(0.3275911), one));
  let y = f32x4.splat(1.061405429);
  y = madd(y, t, f32x4.splat(-1.453152027));
  y = madd(y, t, f32x4.splat(1.421413741));
  y = madd(y, t, f32x4.splat(-0.284496736));
  y = madd(y, t, f32x4.splat(0.254829592));
  const beyond = f32x4.mul(f32x4.mul(y, t), exp(f32x4.neg(f32x4.mul(size, size))));
  // The smaller tail is what the formula gives, so that it keeps its digits.
  const tail = f32x4.mul(beyond, f32x4.splat(0.5));
  return v128.bitselect(tail, f32x4.sub(one, tail), f32x4.lt(x, f32x4.splat(0)));
}

/** Natural logarithm of a positive normal number (Cephes, Moshier). */
export function log(x: f32): f32 {
  if (!(x > 0) || x == Infinity) return x == 0 ? -Infinity : x;
  const bits = reinterpret<i32>(x);
  let exponent: i32 = ((bits >> 23) & 255) - 126;
  let m = reinterpret<f32>((bits & 0x007fffff) | 0x3f000000);
  if (m < 0.70710678118654752) {
    exponent -= 1;
    m = m + m - 1;
  } else {
    m -= 1;
  }
  const z = m * m;
  let y: f32 = 7.0376836292e-2;
  y = y * m - 1.1514610310e-1;
  y = y * m + 1.1676998740e-1;
  y = y * m - 1.2420140846e-1;
  y = y * m + 1.4249322787e-1;
  y = y * m - 1.6668057665e-1;
  y = y * m + 2.0000714765e-1;
  y = y * m - 2.4999993993e-1;
  y = y * m + 3.3333331174e-1;
  y = y * m * z;
  const e = exponent as f32;
  y += e * -2.12194440e-4;
  y -= 0.5 * z;
  return m + y + e * 0.693359375;
}
