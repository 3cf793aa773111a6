import { madd } from "./arithmetic";

/**
 * c[4][8] = (or +=) the sum over k of a[k][4] * b[k][8], both packed: k after k without a gap, so that one
 * address each serves the whole loop. Five rows or six would need more registers than V8 finds: they run slower.
 */
export function packedTile(c: usize, cStep: usize, a: usize, b: usize, length: i32, accumulate: bool): void {
  let s00 = f32x4.splat(0);
  let s01 = f32x4.splat(0);
  let s10 = f32x4.splat(0);
  let s11 = f32x4.splat(0);
  let s20 = f32x4.splat(0);
  let s21 = f32x4.splat(0);
  let s30 = f32x4.splat(0);
  let s31 = f32x4.splat(0);
  const end = b + ((length as usize) << 5);
  while (b < end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load32_splat(a);
    s00 = madd(x, b0, s00);
    s01 = madd(x, b1, s01);
    x = v128.load32_splat(a, 4);
    s10 = madd(x, b0, s10);
    s11 = madd(x, b1, s11);
    x = v128.load32_splat(a, 8);
    s20 = madd(x, b0, s20);
    s21 = madd(x, b1, s21);
    x = v128.load32_splat(a, 12);
    s30 = madd(x, b0, s30);
    s31 = madd(x, b1, s31);
    a += 16;
    b += 32;
  }
  finish(c, s00, s01, accumulate);
  c += cStep;
  finish(c, s10, s11, accumulate);
  c += cStep;
  finish(c, s20, s21, accumulate);
  c += cStep;
  finish(c, s30, s31, accumulate);
}

// @ts-ignore: decorator
@inline
function finish(c: usize, low: v128, high: v128, accumulate: bool): void {
  if (accumulate) {
    low = f32x4.add(low, v128.load(c));
    high = f32x4.add(high, v128.load(c, 16));
  }
  v128.store(c, low);
  v128.store(c, high, 16);
}
