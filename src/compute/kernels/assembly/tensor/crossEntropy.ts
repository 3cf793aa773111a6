import { exp, firstLanes, loadEnd, log, maxOf, storeEnd, sumOf } from "./arithmetic";

/**
 * loss[row] = log(sum(exp(logits[row]))) - logits[row][label], zero where the label is none of the vocabulary.
 * `sums` [rows][2] gets what `crossEntropyGradient` needs: the largest logit and log(sum(exp(logits - largest))).
 * Added up, the two would lose the digits of the second where the first is large.
 */
export function crossEntropy(
  loss: usize,
  sums: usize,
  logits: usize,
  labels: usize,
  rows: i32,
  vocabulary: i32,
): void {
  const bytes = (vocabulary as usize) << 2;
  for (let row = 0; row < rows; row++) {
    measure(sums, logits, vocabulary);
    const label = load<i32>(labels);
    const known = label >= 0 && label < vocabulary;
    const column = known ? label : 0;
    const own = load<f32>(logits + ((column as usize) << 2));
    store<f32>(loss, known ? load<f32>(sums) - own + load<f32>(sums, 4) : 0);
    loss += 4;
    sums += 8;
    labels += 4;
    logits += bytes;
  }
}

/** dLogits = (softmax(logits) - [is the label]) * dLoss; zero where the label is none of the vocabulary. */
export function crossEntropyGradient(
  dLogits: usize,
  logits: usize,
  labels: usize,
  sums: usize,
  dLoss: usize,
  rows: i32,
  vocabulary: i32,
): void {
  const bytes = (vocabulary as usize) << 2;
  const wide = ((vocabulary & ~3) as usize) << 2;
  const rest = vocabulary & 3;
  for (let row = 0; row < rows; row++) {
    const label = load<i32>(labels);
    const upstream = load<f32>(dLoss);
    if (label < 0 || label >= vocabulary) {
      memory.fill(dLogits, 0, bytes);
    } else {
      const peak = f32x4.splat(load<f32>(sums));
      const total = f32x4.splat(load<f32>(sums, 4));
      const factor = f32x4.splat(upstream);
      let at: usize = 0;
      for (; at < wide; at += 16) {
        v128.store(dLogits + at, f32x4.mul(exp(f32x4.sub(f32x4.sub(v128.load(logits + at), peak), total)), factor));
      }
      const last = f32x4.mul(exp(f32x4.sub(f32x4.sub(loadEnd(logits + at, rest), peak), total)), factor);
      storeEnd(dLogits + at, last, rest);
      const own = dLogits + ((label as usize) << 2);
      store<f32>(own, load<f32>(own) - upstream);
    }
    dLogits += bytes;
    logits += bytes;
    labels += 4;
    sums += 8;
    dLoss += 4;
  }
}

/** Writes the largest of the numbers, and log(sum(exp(number - largest))). */
function measure(sums: usize, x: usize, count: i32): void {
  const wide = ((count & ~3) as usize) << 2;
  const rest = count & 3;
  const lanes = firstLanes(rest);
  const lowest = f32x4.splat(-Infinity);
  const end = loadEnd(x + wide, rest);
  let most = v128.bitselect(end, lowest, lanes);
  for (let at: usize = 0; at < wide; at += 16) most = f32x4.pmax(most, v128.load(x + at));
  const peak = maxOf(most);
  const shift = f32x4.splat(peak);
  let sum = v128.and(exp(f32x4.sub(end, shift)), lanes);
  for (let at: usize = 0; at < wide; at += 16) {
    sum = f32x4.add(sum, exp(f32x4.sub(v128.load(x + at), shift)));
  }
  store<f32>(sums, peak);
  store<f32>(sums, log(sumOf(sum)), 4);
}
