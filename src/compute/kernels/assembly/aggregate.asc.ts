// The arithmetic of aggregation over f32 arrays in linear memory. No static data, no allocation: the host
// decides where arrays lie and passes byte addresses, multiples of four, and element counts.

/** target[i] += weight * source[i]. */
export function weightedAdd(target: usize, source: usize, count: usize, weight: f32): void {
  const factor = f32x4.splat(weight);
  const wideEnd = target + ((count & ~15) << 2);
  const end = target + (count << 2);
  while (target < wideEnd) {
    v128.store(target, f32x4.add(v128.load(target), f32x4.mul(v128.load(source), factor)));
    v128.store(target, f32x4.add(v128.load(target, 16), f32x4.mul(v128.load(source, 16), factor)), 16);
    v128.store(target, f32x4.add(v128.load(target, 32), f32x4.mul(v128.load(source, 32), factor)), 32);
    v128.store(target, f32x4.add(v128.load(target, 48), f32x4.mul(v128.load(source, 48), factor)), 48);
    target += 64;
    source += 64;
  }
  while (target < end) {
    store<f32>(target, load<f32>(target) + load<f32>(source) * weight);
    target += 4;
    source += 4;
  }
}

/** target[i] = factor * source[i]; the two may be one array. */
export function scale(target: usize, source: usize, count: usize, factor: f32): void {
  const wide = f32x4.splat(factor);
  const wideEnd = target + ((count & ~3) << 2);
  const end = target + (count << 2);
  while (target < wideEnd) {
    v128.store(target, f32x4.mul(v128.load(source), wide));
    target += 16;
    source += 16;
  }
  while (target < end) {
    store<f32>(target, load<f32>(source) * factor);
    target += 4;
    source += 4;
  }
}

// A number is NaN or infinite exactly when all eight bits of its exponent are set.
const EXPONENT: i32 = 0x7f800000;

/** Index of the first NaN or infinity, or -1. */
export function firstNonFinite(values: usize, count: usize): i32 {
  const exponent = i32x4.splat(EXPONENT);
  const wideCount = count & ~3;
  let index: usize = 0;
  while (index < wideCount) {
    const bits = v128.and(v128.load(values + (index << 2)), exponent);
    if (v128.any_true(i32x4.eq(bits, exponent))) break;
    index += 4;
  }
  while (index < count) {
    if ((load<i32>(values + (index << 2)) & EXPONENT) == EXPONENT) return index as i32;
    index += 1;
  }
  return -1;
}

/** Puts 0 in the place of every NaN and infinity and returns how many there were. */
export function zeroNonFinite(values: usize, count: usize): i32 {
  let found: i32 = 0;
  let index: usize = 0;
  while (index < count) {
    const address = values + (index << 2);
    if ((load<i32>(address) & EXPONENT) == EXPONENT) {
      store<f32>(address, 0);
      found += 1;
    }
    index += 1;
  }
  return found;
}
