/**
 * Gradient of max pooling over [n, h, w, c]: each window gives its dy to the first of its largest inputs. A
 * window in which nothing is larger than minus infinity gives it to none.
 */
export function maxPoolGradient(
  dx: usize,
  x: usize,
  dy: usize,
  n: i32,
  h: i32,
  w: i32,
  c: i32,
  outH: i32,
  outW: i32,
  filterH: i32,
  filterW: i32,
  strideH: i32,
  strideW: i32,
  top: i32,
  left: i32,
): void {
  const imageBytes = ((h * w * c) as usize) << 2;
  memory.fill(dx, 0, (n as usize) * imageBytes);
  for (let image = 0; image < n; image++) {
    for (let outY = 0; outY < outH; outY++) {
      const y0 = max(0, outY * strideH - top);
      const y1 = min(h, outY * strideH - top + filterH);
      for (let outX = 0; outX < outW; outX++) {
        const x0 = max(0, outX * strideW - left);
        const x1 = min(w, outX * strideW - left + filterW);
        let channel = 0;
        for (; channel + 4 <= c; channel += 4) {
          const places = fourPlaces(x, w, c, y0, y1, x0, x1, channel);
          give(dx, i32x4.extract_lane(places, 0), dy);
          give(dx, i32x4.extract_lane(places, 1), dy + 4);
          give(dx, i32x4.extract_lane(places, 2), dy + 8);
          give(dx, i32x4.extract_lane(places, 3), dy + 12);
          dy += 16;
        }
        for (; channel < c; channel++) {
          give(dx, onePlace(x, w, c, y0, y1, x0, x1, channel), dy);
          dy += 4;
        }
      }
    }
    x += imageBytes;
    dx += imageBytes;
  }
}

/** Adds one dy to the element at a place; -1 is no place. */
// @ts-ignore: decorator
@inline
function give(dx: usize, place: i32, dy: usize): void {
  if (place < 0) return;
  const target = dx + ((place as usize) << 2);
  store<f32>(target, load<f32>(target) + load<f32>(dy));
}

/** Places of the first largest inputs of a window, for four channels at once. */
function fourPlaces(x: usize, w: i32, c: i32, y0: i32, y1: i32, x0: i32, x1: i32, channel: i32): v128 {
  const lanes = i32x4(0, 1, 2, 3);
  let largest = f32x4.splat(-Infinity);
  let places = i32x4.splat(-1);
  for (let row = y0; row < y1; row++) {
    let at = (row * w + x0) * c + channel;
    for (let column = x0; column < x1; column++) {
      const values = v128.load(x + ((at as usize) << 2));
      const larger = f32x4.gt(values, largest);
      largest = v128.bitselect(values, largest, larger);
      places = v128.bitselect(i32x4.add(i32x4.splat(at), lanes), places, larger);
      at += c;
    }
  }
  return places;
}

function onePlace(x: usize, w: i32, c: i32, y0: i32, y1: i32, x0: i32, x1: i32, channel: i32): i32 {
  let largest: f32 = -Infinity;
  let place: i32 = -1;
  for (let row = y0; row < y1; row++) {
    let at = (row * w + x0) * c + channel;
    for (let column = x0; column < x1; column++) {
      const value = load<f32>(x + ((at as usize) << 2));
      if (value > largest) {
        largest = value;
        place = at;
      }
      at += c;
    }
  }
  return place;
}
