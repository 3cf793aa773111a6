import { loadEnd, madd, storeEnd } from "./arithmetic";

/**
 * One step of Adam over `count` numbers; g = gradient + decay * weight.
 * newMean = beta1 * mean + (1 - beta1) * g, newSquare = beta2 * square + (1 - beta2) * g^2,
 * newWeight = keep * weight - rate * newMean / (sqrt(newSquare) + epsilon).
 */
export function adam(
  newWeight: usize,
  newMean: usize,
  newSquare: usize,
  weight: usize,
  mean: usize,
  square: usize,
  gradient: usize,
  count: i32,
  beta1: f32,
  beta2: f32,
  fresh1: f32,
  fresh2: f32,
  rate: f32,
  epsilon: f32,
  decay: f32,
  keep: f32,
): void {
  const wide = ((count & ~3) as usize) << 2;
  const rest = count & 3;
  let at: usize = 0;
  for (; at < wide; at += 16) {
    const w = v128.load(weight + at);
    const g = madd(w, f32x4.splat(decay), v128.load(gradient + at));
    const m = moment(v128.load(mean + at), beta1, g, fresh1);
    const s = moment(v128.load(square + at), beta2, f32x4.mul(g, g), fresh2);
    v128.store(newMean + at, m);
    v128.store(newSquare + at, s);
    v128.store(newWeight + at, moved(w, m, s, rate, epsilon, keep));
  }
  if (rest == 0) return;
  const w = loadEnd(weight + at, rest);
  const g = madd(w, f32x4.splat(decay), loadEnd(gradient + at, rest));
  const m = moment(loadEnd(mean + at, rest), beta1, g, fresh1);
  const s = moment(loadEnd(square + at, rest), beta2, f32x4.mul(g, g), fresh2);
  storeEnd(newMean + at, m, rest);
  storeEnd(newSquare + at, s, rest);
  storeEnd(newWeight + at, moved(w, m, s, rate, epsilon, keep), rest);
}

// @ts-ignore: decorator
@inline
function moment(before: v128, beta: f32, value: v128, fresh: f32): v128 {
  return madd(before, f32x4.splat(beta), f32x4.mul(value, f32x4.splat(fresh)));
}

// @ts-ignore: decorator
@inline
function moved(w: v128, m: v128, s: v128, rate: f32, epsilon: f32, keep: f32): v128 {
  const quotient = f32x4.div(m, f32x4.add(f32x4.sqrt(s), f32x4.splat(epsilon)));
  return f32x4.sub(f32x4.mul(w, f32x4.splat(keep)), f32x4.mul(quotient, f32x4.splat(rate)));
}
