import { exp, loadEnd, madd, normal, sigmoid, storeEnd } from "./arithmetic";

/** x times the normal distribution; any other kind is x sigmoid(linear x + cubic x^3). */
export const NORMAL: i32 = 1;

/** out = f(x), times `up` where its address is not zero. */
export function activate(
  out: usize,
  x: usize,
  up: usize,
  count: i32,
  kind: i32,
  linear: f32,
  cubic: f32,
): void {
  const wide = ((count & ~3) as usize) << 2;
  const rest = count & 3;
  let at: usize = 0;
  for (; at < wide; at += 16) {
    const input = v128.load(x + at);
    let y = f32x4.mul(input, share(input, kind, linear, cubic));
    if (up) y = f32x4.mul(y, v128.load(up + at));
    v128.store(out + at, y);
  }
  if (rest == 0) return;
  const input = loadEnd(x + at, rest);
  let y = f32x4.mul(input, share(input, kind, linear, cubic));
  if (up) y = f32x4.mul(y, loadEnd(up + at, rest));
  storeEnd(out + at, y, rest);
}

/** dx = dy * up * f'(x) and dUp = dy * f(x); addresses of zero stand for no `up` and no `dUp`. */
export function activateGradient(
  dx: usize,
  dUp: usize,
  x: usize,
  up: usize,
  dy: usize,
  count: i32,
  kind: i32,
  linear: f32,
  cubic: f32,
): void {
  const wide = ((count & ~3) as usize) << 2;
  const rest = count & 3;
  let at: usize = 0;
  for (; at < wide; at += 16) {
    const input = v128.load(x + at);
    const part = share(input, kind, linear, cubic);
    const upstream = v128.load(dy + at);
    const inner = up ? f32x4.mul(upstream, v128.load(up + at)) : upstream;
    v128.store(dx + at, f32x4.mul(inner, slope(input, part, kind, linear, cubic)));
    if (dUp) v128.store(dUp + at, f32x4.mul(upstream, f32x4.mul(input, part)));
  }
  if (rest == 0) return;
  const input = loadEnd(x + at, rest);
  const part = share(input, kind, linear, cubic);
  const upstream = loadEnd(dy + at, rest);
  const inner = up ? f32x4.mul(upstream, loadEnd(up + at, rest)) : upstream;
  storeEnd(dx + at, f32x4.mul(inner, slope(input, part, kind, linear, cubic)), rest);
  if (dUp) storeEnd(dUp + at, f32x4.mul(upstream, f32x4.mul(input, part)), rest);
}

/** The share of x that f lets through: f(x) / x. */
// @ts-ignore: decorator
@inline
function share(x: v128, kind: i32, linear: f32, cubic: f32): v128 {
  if (kind == NORMAL) return normal(x);
  const inner = madd(f32x4.mul(x, x), f32x4.splat(cubic), f32x4.splat(linear));
  return sigmoid(f32x4.mul(x, inner));
}

/** f'(x), from the share s: s + x s'. */
// @ts-ignore: decorator
@inline
function slope(x: v128, s: v128, kind: i32, linear: f32, cubic: f32): v128 {
  if (kind == NORMAL) {
    const bell = exp(f32x4.mul(f32x4.mul(x, x), f32x4.splat(-0.5)));
    return madd(f32x4.mul(x, f32x4.splat(0.3989422804014327)), bell, s);
  }
  const inner = madd(f32x4.mul(x, x), f32x4.splat(3 * cubic), f32x4.splat(linear));
  const change = f32x4.mul(f32x4.mul(s, f32x4.sub(f32x4.splat(1), s)), inner);
  return madd(x, change, s);
}
