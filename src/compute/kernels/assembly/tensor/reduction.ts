// Long sums are cut into blocks whose sums are added, which keeps the rounding error of 25,000 terms near that
// of 100.
const BLOCK: i32 = 128;

/** out[outer][inner] = the sum of x[outer][reduced][inner] over the middle. */
export function sumMiddle(out: usize, x: usize, outer: i32, reduced: i32, inner: i32): void {
  const row = (inner as usize) << 2;
  for (let index = 0; index < outer; index++) {
    if (inner == 1) store<f32>(out, sumRow(x, reduced));
    else sumRows(out, x, reduced, inner);
    out += row;
    x += row * (reduced as usize);
  }
}

function sumRows(out: usize, x: usize, rows: i32, inner: i32): void {
  const row = (inner as usize) << 2;
  memory.fill(out, 0, row);
  for (let start = 0; start < rows; start += BLOCK) {
    const count = min(BLOCK, rows - start);
    let column = 0;
    for (; column + 4 <= inner; column += 4) {
      const at = (column as usize) << 2;
      let source = x + at;
      let sum = f32x4.splat(0);
      for (let index = 0; index < count; index++) {
        sum = f32x4.add(sum, v128.load(source));
        source += row;
      }
      v128.store(out + at, f32x4.add(v128.load(out + at), sum));
    }
    for (; column < inner; column++) {
      const at = (column as usize) << 2;
      let source = x + at;
      let sum: f32 = 0;
      for (let index = 0; index < count; index++) {
        sum += load<f32>(source);
        source += row;
      }
      store<f32>(out + at, load<f32>(out + at) + sum);
    }
    x += (count as usize) * row;
  }
}

function sumRow(x: usize, count: i32): f32 {
  let total: f32 = 0;
  let index = 0;
  while (index + 16 <= count) {
    const end = min(count & ~15, index + 16 * BLOCK);
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    for (; index < end; index += 16) {
      s0 = f32x4.add(s0, v128.load(x));
      s1 = f32x4.add(s1, v128.load(x, 16));
      s2 = f32x4.add(s2, v128.load(x, 32));
      s3 = f32x4.add(s3, v128.load(x, 48));
      x += 64;
    }
    const sum = f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3));
    total +=
      f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
  }
  for (; index < count; index++) {
    total += load<f32>(x);
    x += 4;
  }
  return total;
}
