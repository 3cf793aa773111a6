/**
 * Lays an image of h x w x c onto a larger one of zeros, its pixels `spreadH` and `spreadW` apart; what falls
 * beyond the border, negative `top` and `left` included, is left out.
 */
export function placeImage(
  target: usize,
  targetH: i32,
  targetW: i32,
  source: usize,
  h: i32,
  w: i32,
  c: i32,
  top: i32,
  left: i32,
  spreadH: i32,
  spreadW: i32,
): void {
  const pixel = (c as usize) << 2;
  const targetRow = (targetW as usize) * pixel;
  const sourceRow = (w as usize) * pixel;
  memory.fill(target, 0, (targetH as usize) * targetRow);

  for (let y = 0; y < h; y++) {
    const row = top + y * spreadH;
    if (row < 0 || row >= targetH) continue;
    const into = target + (row as usize) * targetRow;
    const from = source + (y as usize) * sourceRow;
    if (spreadW == 1) {
      const first = max(0, -left);
      const end = min(w, targetW - left);
      if (end > first) {
        const at = ((left + first) as usize) * pixel;
        memory.copy(into + at, from + (first as usize) * pixel, ((end - first) as usize) * pixel);
      }
      continue;
    }
    for (let x = 0; x < w; x++) {
      const column = left + x * spreadW;
      if (column < 0 || column >= targetW) continue;
      memory.copy(into + (column as usize) * pixel, from + (x as usize) * pixel, pixel);
    }
  }
}
