import { COLUMNS, ROWS } from "./tile";

/**
 * Copies 8 columns of `b` into a panel, k after k, 8 floats each; columns beyond the matrix become 0.
 * @param rowStep bytes from one k to the next
 * @param columnStep bytes from one column to the next
 * @param columns how many of the 8 exist
 */
export function packPanel(
  panel: usize,
  b: usize,
  length: i32,
  columns: i32,
  rowStep: usize,
  columnStep: usize,
): void {
  if (columns == COLUMNS && columnStep == 4) {
    const end = panel + ((length as usize) << 5);
    while (panel < end) {
      v128.store(panel, v128.load(b));
      v128.store(panel, v128.load(b, 16), 16);
      panel += 32;
      b += rowStep;
    }
    return;
  }
  if (columns == COLUMNS && rowStep == 4) {
    turn(panel, 32, b, columnStep, length);
    turn(panel + 16, 32, b + (columnStep << 2), columnStep, length);
    return;
  }
  if (columns < COLUMNS) memory.fill(panel, 0, (length as usize) << 5);
  for (let column = 0; column < columns; column++) {
    let source = b + (column as usize) * columnStep;
    let target = panel + ((column as usize) << 2);
    for (let k = 0; k < length; k++) {
      store<f32>(target, load<f32>(source));
      source += rowStep;
      target += 32;
    }
  }
}

/**
 * Copies 4 rows of `a` into a panel, k after k, 4 floats each; rows beyond the matrix repeat the last one.
 * @param rowStep bytes from one row to the next
 * @param step bytes from one k to the next
 */
export function packRows(panel: usize, a: usize, length: i32, rows: i32, rowStep: usize, step: usize): void {
  if (rows == ROWS && rowStep == 4) {
    const end = panel + ((length as usize) << 4);
    while (panel < end) {
      v128.store(panel, v128.load(a));
      panel += 16;
      a += step;
    }
    return;
  }
  if (rows == ROWS && step == 4) {
    turn(panel, 16, a, rowStep, length);
    return;
  }
  for (let row = 0; row < ROWS; row++) {
    let source = a + (min(row, rows - 1) as usize) * rowStep;
    let target = panel + ((row as usize) << 2);
    for (let k = 0; k < length; k++) {
      store<f32>(target, load<f32>(source));
      source += step;
      target += 16;
    }
  }
}

/** Four rows of `length` neighbouring numbers become columns: to[k * toStep][4] = from[4][k]. */
function turn(to: usize, toStep: usize, from: usize, rowStep: usize, length: i32): void {
  const second = rowStep;
  const third = rowStep << 1;
  const fourth = second + third;
  const wideEnd = from + (((length & ~3) as usize) << 2);
  const end = from + ((length as usize) << 2);
  for (; from < wideEnd; from += 16) {
    const a = v128.load(from);
    const b = v128.load(from + second);
    const c = v128.load(from + third);
    const d = v128.load(from + fourth);
    const lowAB = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const highAB = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const lowCD = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
    const highCD = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
    v128.store(to, v128.shuffle<f64>(lowAB, lowCD, 0, 2));
    to += toStep;
    v128.store(to, v128.shuffle<f64>(lowAB, lowCD, 1, 3));
    to += toStep;
    v128.store(to, v128.shuffle<f64>(highAB, highCD, 0, 2));
    to += toStep;
    v128.store(to, v128.shuffle<f64>(highAB, highCD, 1, 3));
    to += toStep;
  }
  for (; from < end; from += 4) {
    store<f32>(to, load<f32>(from));
    store<f32>(to, load<f32>(from + second), 4);
    store<f32>(to, load<f32>(from + third), 8);
    store<f32>(to, load<f32>(from + fourth), 12);
    to += toStep;
  }
}
