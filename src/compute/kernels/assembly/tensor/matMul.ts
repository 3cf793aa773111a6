import { packedTile } from "./packedTile";
import { packPanel, packRows } from "./panel";
import { rowProduct } from "./rowProduct";
import { COLUMNS, ROWS, settle, tile } from "./tile";

// A block of b (DEPTH x WIDTH) and one of a (HEIGHT x DEPTH) stay in the second-level cache, a panel of each in
// the first.
const DEPTH: i32 = 256;
const WIDTH: i32 = 256;
const HEIGHT: i32 = 64;
const SPARE: usize = 128;
const B_BLOCK: usize = 262144;
const A_BLOCK: usize = 65536;

// So few rows are faster one by one than with b copied together (3 rows: 24 to 30 GFLOP/s, not 13 to 20), in chunks
// of columns that the cache still has for the next row.
const FEW: i32 = 3;
const CHUNK: i32 = 64;

// Copying a together pays when enough panels of b will read the copy.
const REUSE: i32 = 24;

/** Bytes of scratch that `matMul` needs. */
export function matMulScratch(): i32 {
  return (SPARE + B_BLOCK + A_BLOCK) as i32;
}

/**
 * c[m][n] = (or +=) a[m][k] * b[k][n]; all three lie as their steps say, so a and b may be transposed, and any may
 * be a part of a larger matrix. Columns of c are neighbours. All steps are in bytes.
 */
export function matMul(
  c: usize,
  cStep: usize,
  a: usize,
  b: usize,
  m: i32,
  n: i32,
  k: i32,
  aRow: usize,
  aStep: usize,
  bStep: usize,
  bColumn: usize,
  accumulate: bool,
  scratch: usize,
): void {
  if (k == 0) {
    for (let row = 0; row < m && !accumulate; row++) memory.fill(c + (row as usize) * cStep, 0, (n as usize) << 2);
    return;
  }
  if (m <= FEW && aStep == 4 && (bStep == 4 || bColumn == 4)) {
    for (let left = 0; left < n; left += CHUNK) {
      const source = b + (left as usize) * bColumn;
      for (let row = 0; row < m; row++) {
        const target = c + (row as usize) * cStep + ((left as usize) << 2);
        rowProduct(target, a + (row as usize) * aRow, source, min(CHUNK, n - left), k, bStep, bColumn, accumulate);
      }
    }
    return;
  }
  const spare = scratch;
  const bBlock = scratch + SPARE;
  const aBlock = bBlock + B_BLOCK;
  const packed = n >= REUSE;

  for (let left = 0; left < n; left += WIDTH) {
    const width = min(WIDTH, n - left);
    for (let deep = 0; deep < k; deep += DEPTH) {
      const depth = min(DEPTH, k - deep);
      const further = accumulate || deep > 0;
      const panelBytes = (depth as usize) << 5;
      for (let column = 0, panel = bBlock; column < width; column += COLUMNS, panel += panelBytes) {
        const source = b + (deep as usize) * bStep + ((left + column) as usize) * bColumn;
        packPanel(panel, source, depth, min(COLUMNS, width - column), bStep, bColumn);
      }

      for (let top = 0; top < m; top += HEIGHT) {
        const height = min(HEIGHT, m - top);
        const aTop = a + (top as usize) * aRow + (deep as usize) * aStep;
        const rowsBytes = (depth as usize) << 4;
        if (packed) {
          for (let row = 0, rows = aBlock; row < height; row += ROWS, rows += rowsBytes) {
            packRows(rows, aTop + (row as usize) * aRow, depth, min(ROWS, height - row), aRow, aStep);
          }
        }

        for (let column = 0, panel = bBlock; column < width; column += COLUMNS, panel += panelBytes) {
          const columns = min(COLUMNS, width - column);
          for (let row = 0; row < height; row += ROWS) {
            const rows = min(ROWS, height - row);
            const target = c + ((top + row) as usize) * cStep + (((left + column) as usize) << 2);
            const whole = rows == ROWS && columns == COLUMNS;
            const into = whole ? target : spare;
            const intoStep: usize = whole ? cStep : 32;
            const add = whole && further;
            if (packed) {
              packedTile(into, intoStep, aBlock + (row as usize) * ((depth as usize) << 2), panel, depth, add);
            } else {
              const a0 = aTop + (row as usize) * aRow;
              const a1 = aTop + (min(row + 1, height - 1) as usize) * aRow;
              const a2 = aTop + (min(row + 2, height - 1) as usize) * aRow;
              const a3 = aTop + (min(row + 3, height - 1) as usize) * aRow;
              tile(into, intoStep, a0, a1, a2, a3, aStep, depth, 1, 0, panel, 32, add);
            }
            if (!whole) settle(target, cStep, spare, rows, columns, further);
          }
        }
      }
    }
  }
}
