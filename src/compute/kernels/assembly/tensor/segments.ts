/** out[segments][inner] = for each segment the sum of those rows of x whose id it is; other ids are left out. */
export function segmentSum(out: usize, x: usize, ids: usize, rows: i32, inner: i32, segments: i32): void {
  const row = (inner as usize) << 2;
  memory.fill(out, 0, (segments as usize) * row);
  for (let index = 0; index < rows; index++) {
    const id = load<i32>(ids + ((index as usize) << 2));
    if (id >= 0 && id < segments) addRow(out + (id as usize) * row, x, inner);
    x += row;
  }
}

/** out[count][inner] = the rows of a table with these ids. */
export function gatherRows(out: usize, table: usize, ids: usize, count: i32, inner: i32): void {
  const row = (inner as usize) << 2;
  for (let index = 0; index < count; index++) {
    memory.copy(out, table + (load<i32>(ids + ((index as usize) << 2)) as usize) * row, row);
    out += row;
  }
}

/** x[rows][inner] += bias[inner]. */
export function addBias(x: usize, bias: usize, rows: i32, inner: i32): void {
  const row = (inner as usize) << 2;
  for (let index = 0; index < rows; index++) {
    addRow(x, bias, inner);
    x += row;
  }
}

function addRow(target: usize, source: usize, count: i32): void {
  const end = target + ((count as usize) << 2);
  while (target + 16 <= end) {
    v128.store(target, f32x4.add(v128.load(target), v128.load(source)));
    target += 16;
    source += 16;
  }
  while (target < end) {
    store<f32>(target, load<f32>(target) + load<f32>(source));
    target += 4;
    source += 4;
  }
}

/** Zeroes bytes. */
export function clear(target: usize, bytes: usize): void {
  memory.fill(target, 0, bytes);
}
