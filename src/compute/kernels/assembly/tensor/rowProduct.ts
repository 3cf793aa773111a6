import { loadEnd, madd, storeEnd, sumOf } from "./arithmetic";

/**
 * c[n] = (or +=) a[k] * b[k][n] for one row whose numbers are neighbours. Nothing is packed: each number of `b` is
 * read once where it lies. Columns of `b` (`bStep` 4) or its rows (`bColumn` 4) must be neighbours.
 */
export function rowProduct(
  c: usize,
  a: usize,
  b: usize,
  n: i32,
  k: i32,
  bStep: usize,
  bColumn: usize,
  accumulate: bool,
): void {
  if (bStep == 4) alongColumns(c, a, b, n, k, bColumn, accumulate);
  else alongRows(c, a, b, n, k, bStep, accumulate);
}

/** Four columns at a time, each the inner product of two runs of neighbours. */
function alongColumns(c: usize, a: usize, b: usize, n: i32, k: i32, bColumn: usize, accumulate: bool): void {
  const wide = ((k & ~3) as usize) << 2;
  const rest = k & 3;
  const end = loadEnd(a + wide, rest);
  let column = 0;
  for (; column + 4 <= n; column += 4) {
    const b1 = b + bColumn;
    const b2 = b1 + bColumn;
    const b3 = b2 + bColumn;
    let s0 = f32x4.mul(end, loadEnd(b + wide, rest));
    let s1 = f32x4.mul(end, loadEnd(b1 + wide, rest));
    let s2 = f32x4.mul(end, loadEnd(b2 + wide, rest));
    let s3 = f32x4.mul(end, loadEnd(b3 + wide, rest));
    for (let at: usize = 0; at < wide; at += 16) {
      const x = v128.load(a + at);
      s0 = madd(x, v128.load(b + at), s0);
      s1 = madd(x, v128.load(b1 + at), s1);
      s2 = madd(x, v128.load(b2 + at), s2);
      s3 = madd(x, v128.load(b3 + at), s3);
    }
    const sums = f32x4(sumOf(s0), sumOf(s1), sumOf(s2), sumOf(s3));
    v128.store(c, accumulate ? f32x4.add(sums, v128.load(c)) : sums);
    c += 16;
    b += bColumn << 2;
  }
  for (; column < n; column++) {
    let sum = f32x4.mul(end, loadEnd(b + wide, rest));
    for (let at: usize = 0; at < wide; at += 16) sum = madd(v128.load(a + at), v128.load(b + at), sum);
    store<f32>(c, sumOf(sum) + (accumulate ? load<f32>(c) : 0));
    c += 4;
    b += bColumn;
  }
}

/** Sixteen columns at a time, summed over the rows. */
function alongRows(c: usize, a: usize, b: usize, n: i32, k: i32, bStep: usize, accumulate: bool): void {
  const end = a + ((k as usize) << 2);
  let column = 0;
  for (; column + 16 <= n; column += 16) {
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    let from = b;
    for (let at = a; at < end; at += 4) {
      const x = v128.load32_splat(at);
      s0 = madd(x, v128.load(from), s0);
      s1 = madd(x, v128.load(from, 16), s1);
      s2 = madd(x, v128.load(from, 32), s2);
      s3 = madd(x, v128.load(from, 48), s3);
      from += bStep;
    }
    v128.store(c, accumulate ? f32x4.add(s0, v128.load(c)) : s0);
    v128.store(c, accumulate ? f32x4.add(s1, v128.load(c, 16)) : s1, 16);
    v128.store(c, accumulate ? f32x4.add(s2, v128.load(c, 32)) : s2, 32);
    v128.store(c, accumulate ? f32x4.add(s3, v128.load(c, 48)) : s3, 48);
    c += 64;
    b += 64;
  }
  while (column < n) {
    const count = min(4, n - column);
    let sum = f32x4.splat(0);
    let from = b;
    for (let at = a; at < end; at += 4) {
      const row = count == 4 ? v128.load(from) : loadEnd(from, count);
      sum = madd(v128.load32_splat(at), row, sum);
      from += bStep;
    }
    if (accumulate) sum = f32x4.add(sum, count == 4 ? v128.load(c) : loadEnd(c, count));
    if (count == 4) v128.store(c, sum);
    else storeEnd(c, sum, count);
    c += 16;
    b += 16;
    column += count;
  }
}
