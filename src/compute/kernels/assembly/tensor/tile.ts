import { madd } from "./arithmetic";

// The innermost loop of every product: a tile of 4 rows and 8 columns kept in registers.

/** Rows of a tile. */
export const ROWS: i32 = 4;
/** Columns of a tile. */
export const COLUMNS: i32 = 8;

/**
 * c[4][8] = (or +=) the sum over k of a[r](k) * b[k][8].
 *
 * The four rows of `a` start anywhere and share their steps: `length` elements `step` bytes apart make a
 * segment, `segments` of them follow each other `segmentStep` bytes apart. So a row can be a row or a column
 * of a matrix, or a patch of an image where it lies, without being copied together first.
 *
 * @param bStep bytes from one k to the next in `b`
 * @param cStep bytes from one row to the next in `c`
 */
export function tile(
  c: usize,
  cStep: usize,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  step: usize,
  length: i32,
  segments: i32,
  segmentStep: usize,
  b: usize,
  bStep: usize,
  accumulate: bool,
): void {
  let s00 = f32x4.splat(0);
  let s01 = f32x4.splat(0);
  let s10 = f32x4.splat(0);
  let s11 = f32x4.splat(0);
  let s20 = f32x4.splat(0);
  let s21 = f32x4.splat(0);
  let s30 = f32x4.splat(0);
  let s31 = f32x4.splat(0);
  const jump = segmentStep - (length as usize) * step;

  for (let segment = 0; segment < segments; segment++) {
    for (let k = 0; k < length; k++) {
      const b0 = v128.load(b);
      const b1 = v128.load(b, 16);
      let x = v128.load32_splat(a0);
      s00 = madd(x, b0, s00);
      s01 = madd(x, b1, s01);
      x = v128.load32_splat(a1);
      s10 = madd(x, b0, s10);
      s11 = madd(x, b1, s11);
      x = v128.load32_splat(a2);
      s20 = madd(x, b0, s20);
      s21 = madd(x, b1, s21);
      x = v128.load32_splat(a3);
      s30 = madd(x, b0, s30);
      s31 = madd(x, b1, s31);
      a0 += step;
      a1 += step;
      a2 += step;
      a3 += step;
      b += bStep;
    }
    a0 += jump;
    a1 += jump;
    a2 += jump;
    a3 += jump;
  }

  const c1 = c + cStep;
  const c2 = c1 + cStep;
  const c3 = c2 + cStep;
  if (accumulate) {
    s00 = f32x4.add(s00, v128.load(c));
    s01 = f32x4.add(s01, v128.load(c, 16));
    s10 = f32x4.add(s10, v128.load(c1));
    s11 = f32x4.add(s11, v128.load(c1, 16));
    s20 = f32x4.add(s20, v128.load(c2));
    s21 = f32x4.add(s21, v128.load(c2, 16));
    s30 = f32x4.add(s30, v128.load(c3));
    s31 = f32x4.add(s31, v128.load(c3, 16));
  }
  v128.store(c, s00);
  v128.store(c, s01, 16);
  v128.store(c1, s10);
  v128.store(c1, s11, 16);
  v128.store(c2, s20);
  v128.store(c2, s21, 16);
  v128.store(c3, s30);
  v128.store(c3, s31, 16);
}

/** Moves the part of a spare tile that lies within the result: `rows` by `columns` of it. */
export function settle(
  c: usize,
  cStep: usize,
  spare: usize,
  rows: i32,
  columns: i32,
  accumulate: bool,
): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const target = c + (row as usize) * cStep + ((column as usize) << 2);
      const value = load<f32>(spare + ((row * COLUMNS + column) << 2));
      store<f32>(target, accumulate ? load<f32>(target) + value : value);
    }
  }
}
