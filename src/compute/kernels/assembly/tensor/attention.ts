import { exp, firstLanes, loadEnd, log, maxOf, storeEnd, sumOf } from "./arithmetic";
import { matMul, matMulScratch } from "./matMul";

// Queries that are taken together: enough for the product to be fast, few enough to leave out most of the keys
// that none of them sees.
const BLOCK: i32 = 64;

// The largest score of a query that sees nothing: so far above any score, all probabilities are zero.
const NOTHING_SEEN: f32 = 1e30;

/** Bytes of scratch that `attend` and `attendGradient` need for so many keys. */
export function attentionScratch(slots: i32): i32 {
  return matMulScratch() + 2 * BLOCK * ((scoreStep(slots) as i32));
}

/**
 * out = softmax(scale * queries keys^T) values, every query over the keys that it sees: those whose place is not
 * negative, at most its own, and within `window` places of it. A query that sees none gets zeros.
 *
 * Heads of a token lie side by side; `qRow`, `kRow`, `vRow` and `outRow` are the bytes from one token to the next,
 * so the three may be parts of one matrix. `heads / keyHeads` neighbouring heads of the queries share a head of the
 * keys. Places are [1 or batch][length or slots]; `sums` [batch][heads][length][2]
 * gets the largest score and log(sum(exp(score - largest))).
 */
export function attend(
  out: usize,
  outRow: usize,
  allSums: usize,
  q: usize,
  qRow: usize,
  k: usize,
  kRow: usize,
  v: usize,
  vRow: usize,
  queryPlaces: usize,
  queryRows: i32,
  keyPlaces: usize,
  keyRows: i32,
  batch: i32,
  heads: i32,
  keyHeads: i32,
  length: i32,
  slots: i32,
  size: i32,
  scale: f32,
  window: i32,
  scratch: usize,
): void {
  const scores = scratch + (matMulScratch() as usize);
  const step = scoreStep(slots);
  const headBytes = (size as usize) << 2;
  const group = heads / keyHeads;
  for (let row = 0; row < batch; row++) {
    const own = queryPlaces + (queryRows > 1 ? ((row * length) as usize) << 2 : 0);
    const places = keyPlaces + (keyRows > 1 ? ((row * slots) as usize) << 2 : 0);
    for (let top = 0; top < length; top += BLOCK) {
      const count = min(BLOCK, length - top);
      const ownTop = own + ((top as usize) << 2);
      const from = firstSeen(ownTop, count, places, slots, window);
      const seen = endSeen(ownTop, count, places, slots, window) - from;
      const token = (row * length + top) as usize;
      const slot = (row * slots + from) as usize;
      for (let head = 0; head < heads; head++) {
        const offset = (head as usize) * headBytes;
        const keyOffset = ((head / group) as usize) * headBytes;
        const target = out + token * outRow + offset;
        const sums = allSums + (((row * heads + head) * length + top) << 3);
        if (seen <= 0) {
          for (let index = 0; index < count; index++) {
            memory.fill(target + (index as usize) * outRow, 0, headBytes);
            store<f32>(sums + ((index as usize) << 3), NOTHING_SEEN);
            store<f32>(sums + ((index as usize) << 3), 0, 4);
          }
          continue;
        }
        const query = q + token * qRow + offset;
        matMul(scores, step, query, k + slot * kRow + keyOffset, count, seen, size, qRow, 4, 4, kRow, false, scratch);
        for (let index = 0; index < count; index++) {
          const place = load<i32>(ownTop + ((index as usize) << 2));
          const line = scores + (index as usize) * step;
          const near = places + ((from as usize) << 2);
          softmax(line, sums + ((index as usize) << 3), near, seen, place, window, scale);
        }
        matMul(target, outRow, scores, v + slot * vRow + keyOffset, count, size, seen, step, 4, vRow, 4, false, scratch);
      }
    }
  }
}

/**
 * Gradients of `attend` under `dOut`, which lies as `out` did; `dQ`, `dK` and `dV` lie as the queries, keys and
 * values do. Probabilities are computed again from the sums, so that none has to be kept.
 */
export function attendGradient(
  dQ: usize,
  dK: usize,
  dV: usize,
  dOut: usize,
  outRow: usize,
  allSums: usize,
  q: usize,
  qRow: usize,
  k: usize,
  kRow: usize,
  v: usize,
  vRow: usize,
  queryPlaces: usize,
  queryRows: i32,
  keyPlaces: usize,
  keyRows: i32,
  batch: i32,
  heads: i32,
  keyHeads: i32,
  length: i32,
  slots: i32,
  size: i32,
  scale: f32,
  window: i32,
  scratch: usize,
): void {
  const step = scoreStep(slots);
  const scores = scratch + (matMulScratch() as usize);
  const changes = scores + (BLOCK as usize) * step;
  const headBytes = (size as usize) << 2;
  const keyBytes = (keyHeads as usize) * headBytes;
  const group = heads / keyHeads;
  for (let slot = 0; slot < batch * slots; slot++) {
    memory.fill(dK + (slot as usize) * kRow, 0, keyBytes);
    memory.fill(dV + (slot as usize) * vRow, 0, keyBytes);
  }
  for (let row = 0; row < batch; row++) {
    const own = queryPlaces + (queryRows > 1 ? ((row * length) as usize) << 2 : 0);
    const places = keyPlaces + (keyRows > 1 ? ((row * slots) as usize) << 2 : 0);
    for (let top = 0; top < length; top += BLOCK) {
      const count = min(BLOCK, length - top);
      const ownTop = own + ((top as usize) << 2);
      const from = firstSeen(ownTop, count, places, slots, window);
      const seen = endSeen(ownTop, count, places, slots, window) - from;
      const token = (row * length + top) as usize;
      const slot = (row * slots + from) as usize;
      for (let head = 0; head < heads; head++) {
        const offset = (head as usize) * headBytes;
        const keyOffset = ((head / group) as usize) * headBytes;
        const target = dQ + token * qRow + offset;
        if (seen <= 0) {
          for (let index = 0; index < count; index++) memory.fill(target + (index as usize) * qRow, 0, headBytes);
          continue;
        }
        const query = q + token * qRow + offset;
        const key = k + slot * kRow + keyOffset;
        const value = v + slot * vRow + keyOffset;
        const upstream = dOut + token * outRow + offset;
        matMul(scores, step, query, key, count, seen, size, qRow, 4, 4, kRow, false, scratch);
        matMul(changes, step, upstream, value, count, seen, size, outRow, 4, 4, vRow, false, scratch);
        const sums = allSums + (((row * heads + head) * length + top) << 3);
        for (let index = 0; index < count; index++) {
          softmaxGradient(
            scores + (index as usize) * step,
            changes + (index as usize) * step,
            places + ((from as usize) << 2),
            seen,
            load<i32>(ownTop + ((index as usize) << 2)),
            window,
            scale,
            sums + ((index as usize) << 3),
          );
        }
        matMul(target, qRow, changes, key, count, size, seen, step, 4, kRow, 4, false, scratch);
        const dKey = dK + slot * kRow + keyOffset;
        matMul(dKey, kRow, changes, query, seen, size, count, 4, step, qRow, 4, true, scratch);
        const dValue = dV + slot * vRow + keyOffset;
        matMul(dValue, vRow, scores, upstream, seen, size, count, 4, step, outRow, 4, true, scratch);
      }
    }
  }
}

/** Bytes of a row of scores. */
function scoreStep(slots: i32): usize {
  return (((slots + 3) & ~3) as usize) << 2;
}

/** The first slot that any of the queries sees. */
function firstSeen(own: usize, count: i32, places: usize, slots: i32, window: i32): i32 {
  for (let slot = 0; slot < slots; slot++) {
    if (anySees(own, count, load<i32>(places + ((slot as usize) << 2)), window)) return slot;
  }
  return slots;
}

/** The slot behind the last one that any of the queries sees. */
function endSeen(own: usize, count: i32, places: usize, slots: i32, window: i32): i32 {
  for (let slot = slots; slot > 0; slot--) {
    if (anySees(own, count, load<i32>(places + (((slot - 1) as usize) << 2)), window)) return slot;
  }
  return 0;
}

function anySees(own: usize, count: i32, place: i32, window: i32): bool {
  if (place < 0) return false;
  for (let index = 0; index < count; index++) {
    const query = load<i32>(own + ((index as usize) << 2));
    if (place <= query && query - place < window) return true;
  }
  return false;
}

/** All bits of the lanes whose key is seen: four of them, or the `count` (below 4) that are left. */
// @ts-ignore: decorator
@inline
function seenAt(places: usize, at: usize, count: i32, own: v128, window: v128): v128 {
  return seenLanes(count == 4 ? v128.load(places + at) : loadEnd(places + at, count), own, window);
}

/** All bits of the lanes whose place is seen. */
// @ts-ignore: decorator
@inline
function seenLanes(places: v128, own: v128, window: v128): v128 {
  const past = i32x4.le_s(places, own);
  const near = i32x4.lt_s(i32x4.sub(own, places), window);
  return v128.and(v128.and(past, near), i32x4.ge_s(places, i32x4.splat(0)));
}

/** Scores become probabilities where they stand; the sums get the largest one and log(sum(exp(score - largest))). */
function softmax(
  line: usize,
  sums: usize,
  places: usize,
  count: i32,
  place: i32,
  window: i32,
  scale: f32,
): void {
  const wide = ((count & ~3) as usize) << 2;
  const rest = count & 3;
  const own = i32x4.splat(place);
  const near = i32x4.splat(window);
  const factor = f32x4.splat(scale);
  const hidden = f32x4.splat(-Infinity);

  let most = hidden;
  for (let at: usize = 0; at < wide; at += 16) {
    const lanes = seenAt(places, at, 4, own, near);
    const x = v128.bitselect(f32x4.mul(v128.load(line + at), factor), hidden, lanes);
    v128.store(line + at, x);
    most = f32x4.pmax(most, x);
  }
  const lanes = v128.and(seenAt(places, wide, rest, own, near), firstLanes(rest));
  const end = v128.bitselect(f32x4.mul(loadEnd(line + wide, rest), factor), hidden, lanes);
  most = f32x4.pmax(most, end);
  const peak = maxOf(most);
  if (peak == -Infinity) {
    memory.fill(line, 0, (count as usize) << 2);
    store<f32>(sums, NOTHING_SEEN);
    store<f32>(sums, 0, 4);
    return;
  }

  const shift = f32x4.splat(peak);
  const last = exp(f32x4.sub(end, shift));
  let sum = last;
  for (let at: usize = 0; at < wide; at += 16) {
    const y = exp(f32x4.sub(v128.load(line + at), shift));
    v128.store(line + at, y);
    sum = f32x4.add(sum, y);
  }
  const total = sumOf(sum);
  const inverse = f32x4.splat(1 / total);
  for (let at: usize = 0; at < wide; at += 16) {
    v128.store(line + at, f32x4.mul(v128.load(line + at), inverse));
  }
  storeEnd(line + wide, f32x4.mul(last, inverse), rest);
  store<f32>(sums, peak);
  store<f32>(sums, log(total), 4);
}

/** Scores become probabilities p, and changes of p those of the unscaled scores: p * (d - sum(p * d)) * scale. */
function softmaxGradient(
  line: usize,
  changes: usize,
  places: usize,
  count: i32,
  place: i32,
  window: i32,
  scale: f32,
  sums: usize,
): void {
  const wide = ((count & ~3) as usize) << 2;
  const rest = count & 3;
  const own = i32x4.splat(place);
  const near = i32x4.splat(window);
  const factor = f32x4.splat(scale);
  const peak = f32x4.splat(load<f32>(sums));
  const total = f32x4.splat(load<f32>(sums, 4));

  let sum = f32x4.splat(0);
  for (let at: usize = 0; at < wide; at += 16) {
    const lanes = seenAt(places, at, 4, own, near);
    const p = v128.and(probability(v128.load(line + at), factor, peak, total), lanes);
    v128.store(line + at, p);
    sum = f32x4.add(sum, f32x4.mul(p, v128.load(changes + at)));
  }
  const lanes = v128.and(seenAt(places, wide, rest, own, near), firstLanes(rest));
  const last = v128.and(probability(loadEnd(line + wide, rest), factor, peak, total), lanes);
  const lastChange = loadEnd(changes + wide, rest);
  storeEnd(line + wide, last, rest);
  const mean = f32x4.splat(sumOf(f32x4.add(sum, f32x4.mul(last, lastChange))));

  for (let at: usize = 0; at < wide; at += 16) {
    const d = f32x4.sub(v128.load(changes + at), mean);
    v128.store(changes + at, f32x4.mul(f32x4.mul(v128.load(line + at), d), factor));
  }
  storeEnd(changes + wide, f32x4.mul(f32x4.mul(last, f32x4.sub(lastChange, mean)), factor), rest);
}

// @ts-ignore: decorator
@inline
function probability(score: v128, factor: v128, peak: v128, total: v128): v128 {
  return exp(f32x4.sub(f32x4.sub(f32x4.mul(score, factor), peak), total));
}
