import { exp, firstLanes, loadEnd, log, maxOf, storeEnd, sumOf } from "./arithmetic";

/**
 * loss[row] = logSum[row] - logits[row][label], logSum[row] = log(sum(exp(logits[row]))); the loss is zero where
 * the label is none of the vocabulary.
 */
export function crossEntropy(
  loss: usize,
  logSum: usize,
  logits: usize,
  labels: usize,
  rows: i32,
  vocabulary: i32,
): void {
  const bytes = (vocabulary as usize) << 2;
  for (let row = 0; row < rows; row++) {
    const total = logSumOf(logits, vocabulary);
    const label = load<i32>(labels);
    const known = label >= 0 && label < vocabulary;
    store<f32>(loss, known ? total - load<f32>(logits + ((label as usize) << 2)) : 0);
    store<f32>(logSum, total);
    loss += 4;
    logSum += 4;
    labels += 4;
    logits += bytes;
  }
}

/** dLogits = (exp(logits - logSum) - [is the label]) * dLoss; zero where the label is none of the vocabulary. */
export function crossEntropyGradient(
  dLogits: usize,
  logits: usize,
  labels: usize,
  logSum: usize,
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
      const total = f32x4.splat(load<f32>(logSum));
      const factor = f32x4.splat(upstream);
      let at: usize = 0;
      for (; at < wide; at += 16) {
        v128.store(dLogits + at, f32x4.mul(exp(f32x4.sub(v128.load(logits + at), total)), factor));
      }
      const last = f32x4.mul(exp(f32x4.sub(loadEnd(logits + at, rest), total)), factor);
      storeEnd(dLogits + at, last, rest);
      const own = dLogits + ((label as usize) << 2);
      store<f32>(own, load<f32>(own) - upstream);
    }
    dLogits += bytes;
    logits += bytes;
    labels += 4;
    logSum += 4;
    dLoss += 4;
  }
}

function logSumOf(x: usize, count: i32): f32 {
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
  return peak + log(sumOf(sum));
}
