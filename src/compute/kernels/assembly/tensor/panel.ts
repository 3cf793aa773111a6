import { COLUMNS } from "./tile";

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
    for (let k = 0; k < length; k++) {
      v128.store(panel, v128.load(b));
      v128.store(panel, v128.load(b, 16), 16);
      panel += 32;
      b += rowStep;
    }
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
  if (rows == 4 && rowStep == 4) {
    for (let k = 0; k < length; k++) {
      v128.store(panel, v128.load(a));
      panel += 16;
      a += step;
    }
    return;
  }
  for (let row = 0; row < 4; row++) {
    let source = a + (min(row, rows - 1) as usize) * rowStep;
    let target = panel + ((row as usize) << 2);
    for (let k = 0; k < length; k++) {
      store<f32>(target, load<f32>(source));
      source += step;
      target += 16;
    }
  }
}
