import { firstLanes, loadEnd, madd, storeEnd, sumOf } from "./arithmetic";

/**
 * out = (x - mean) / sqrt(variance + epsilon) * weight + bias over rows of `width`. Not centred, the mean counts
 * as zero, so that the variance is the mean square. An address of zero stands for no weight, no bias.
 */
export function normalise(
  out: usize,
  x: usize,
  weight: usize,
  bias: usize,
  rows: i32,
  width: i32,
  epsilon: f32,
  centred: bool,
): void {
  const bytes = (width as usize) << 2;
  const wide = ((width & ~3) as usize) << 2;
  const rest = width & 3;
  for (let row = 0; row < rows; row++) {
    const mean = f32x4.splat(centred ? meanOf(x, width) : 0);
    const factor = f32x4.splat(inverseDeviation(x, width, mean, epsilon));
    let at: usize = 0;
    for (; at < wide; at += 16) {
      let y = f32x4.mul(f32x4.sub(v128.load(x + at), mean), factor);
      if (weight) y = f32x4.mul(y, v128.load(weight + at));
      if (bias) y = f32x4.add(y, v128.load(bias + at));
      v128.store(out + at, y);
    }
    if (rest > 0) {
      let y = f32x4.mul(f32x4.sub(loadEnd(x + at, rest), mean), factor);
      if (weight) y = f32x4.mul(y, loadEnd(weight + at, rest));
      if (bias) y = f32x4.add(y, loadEnd(bias + at, rest));
      storeEnd(out + at, y, rest);
    }
    x += bytes;
    out += bytes;
  }
}

/**
 * Gradients of `normalise` under `dy`. With n the normed row and g = dy * weight:
 * dx = (g - mean(g) - n * mean(g * n)) / deviation, dWeight = sum over rows of dy * n, dBias = that of dy.
 * An address of zero stands for no weight, and for a gradient that is not asked for.
 */
export function normaliseGradient(
  dx: usize,
  dWeight: usize,
  dBias: usize,
  x: usize,
  weight: usize,
  dy: usize,
  rows: i32,
  width: i32,
  epsilon: f32,
  centred: bool,
): void {
  const bytes = (width as usize) << 2;
  const wide = ((width & ~3) as usize) << 2;
  const rest = width & 3;
  const share: f32 = 1 / (width as f32);
  if (dWeight) memory.fill(dWeight, 0, bytes);
  if (dBias) memory.fill(dBias, 0, bytes);

  for (let row = 0; row < rows; row++) {
    const mean = f32x4.splat(centred ? meanOf(x, width) : 0);
    const factor = f32x4.splat(inverseDeviation(x, width, mean, epsilon));
    let sum = f32x4.splat(0);
    let product = f32x4.splat(0);
    let at: usize = 0;
    for (; at < wide; at += 16) {
      const upstream = v128.load(dy + at);
      const normed = f32x4.mul(f32x4.sub(v128.load(x + at), mean), factor);
      const g = weight ? f32x4.mul(upstream, v128.load(weight + at)) : upstream;
      sum = f32x4.add(sum, g);
      product = madd(g, normed, product);
      if (dWeight) v128.store(dWeight + at, madd(upstream, normed, v128.load(dWeight + at)));
      if (dBias) v128.store(dBias + at, f32x4.add(upstream, v128.load(dBias + at)));
    }
    if (rest > 0) {
      const upstream = loadEnd(dy + at, rest);
      const normed = f32x4.mul(f32x4.sub(loadEnd(x + at, rest), mean), factor);
      const g = weight ? f32x4.mul(upstream, loadEnd(weight + at, rest)) : upstream;
      sum = f32x4.add(sum, g);
      product = madd(g, normed, product);
      if (dWeight) storeEnd(dWeight + at, madd(upstream, normed, loadEnd(dWeight + at, rest)), rest);
      if (dBias) storeEnd(dBias + at, f32x4.add(upstream, loadEnd(dBias + at, rest)), rest);
    }

    const meanG = f32x4.splat(centred ? sumOf(sum) * share : 0);
    const meanProduct = f32x4.splat(sumOf(product) * share);
    at = 0;
    for (; at < wide; at += 16) {
      const upstream = v128.load(dy + at);
      const normed = f32x4.mul(f32x4.sub(v128.load(x + at), mean), factor);
      const g = weight ? f32x4.mul(upstream, v128.load(weight + at)) : upstream;
      const d = f32x4.sub(f32x4.sub(g, meanG), f32x4.mul(normed, meanProduct));
      v128.store(dx + at, f32x4.mul(d, factor));
    }
    if (rest > 0) {
      const upstream = loadEnd(dy + at, rest);
      const normed = f32x4.mul(f32x4.sub(loadEnd(x + at, rest), mean), factor);
      const g = weight ? f32x4.mul(upstream, loadEnd(weight + at, rest)) : upstream;
      const d = f32x4.sub(f32x4.sub(g, meanG), f32x4.mul(normed, meanProduct));
      storeEnd(dx + at, f32x4.mul(d, factor), rest);
    }
    x += bytes;
    dy += bytes;
    dx += bytes;
  }
}

function meanOf(x: usize, width: i32): f32 {
  const end = x + (((width & ~3) as usize) << 2);
  let sum = loadEnd(end, width & 3);
  for (; x < end; x += 16) sum = f32x4.add(sum, v128.load(x));
  return sumOf(sum) / (width as f32);
}

function inverseDeviation(x: usize, width: i32, mean: v128, epsilon: f32): f32 {
  const end = x + (((width & ~3) as usize) << 2);
  const last = v128.and(f32x4.sub(loadEnd(end, width & 3), mean), firstLanes(width & 3));
  let sum = f32x4.mul(last, last);
  for (; x < end; x += 16) {
    const d = f32x4.sub(v128.load(x), mean);
    sum = madd(d, d, sum);
  }
  return 1 / sqrt<f32>(sumOf(sum) / (width as f32) + epsilon);
}
