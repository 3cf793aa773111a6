import { loadEnd, storeEnd } from "./arithmetic";

/**
 * Turns the pairs (i, i + half) of every head by the angles of its token; `sign` -1 turns back.
 * @param x [tokens][heads][2 * half]
 * @param cos as `sin` [angles][half]; tokens after the last angle begin at the first again
 */
export function rotate(
  out: usize,
  x: usize,
  cos: usize,
  sin: usize,
  tokens: i32,
  angles: i32,
  heads: i32,
  half: i32,
  sign: f32,
): void {
  const bytes = (half as usize) << 2;
  const wide = ((half & ~3) as usize) << 2;
  const rest = half & 3;
  const way = f32x4.splat(sign);
  for (let token = 0; token < tokens; token++) {
    const row = ((token % angles) as usize) * bytes;
    for (let head = 0; head < heads; head++) {
      let at: usize = 0;
      for (; at < wide; at += 16) {
        const c = v128.load(cos + row + at);
        const s = f32x4.mul(v128.load(sin + row + at), way);
        const first = v128.load(x + at);
        const second = v128.load(x + bytes + at);
        v128.store(out + at, f32x4.sub(f32x4.mul(first, c), f32x4.mul(second, s)));
        v128.store(out + bytes + at, f32x4.add(f32x4.mul(second, c), f32x4.mul(first, s)));
      }
      if (rest > 0) {
        const c = loadEnd(cos + row + at, rest);
        const s = f32x4.mul(loadEnd(sin + row + at, rest), way);
        const first = loadEnd(x + at, rest);
        const second = loadEnd(x + bytes + at, rest);
        storeEnd(out + at, f32x4.sub(f32x4.mul(first, c), f32x4.mul(second, s)), rest);
        storeEnd(out + bytes + at, f32x4.add(f32x4.mul(second, c), f32x4.mul(first, s)), rest);
      }
      x += bytes << 1;
      out += bytes << 1;
    }
  }
}
