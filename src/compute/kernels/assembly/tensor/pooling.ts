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
        for (let channel = 0; channel < c; channel++) {
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
          if (place >= 0) {
            const target = dx + ((place as usize) << 2);
            store<f32>(target, load<f32>(target) + load<f32>(dy));
          }
          dy += 4;
        }
      }
    }
    x += imageBytes;
    dx += imageBytes;
  }
}
