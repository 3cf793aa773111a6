/**
 * Enlarges or shrinks an image of one channel by bilinear interpolation with half-pixel centres: pixel i of
 * n covers [i, i+1], so target pixel i of N samples the source at (i + 0.5) * n / N - 0.5, held inside the
 * outermost centres. (`align_corners=False` of PyTorch, `half_pixel_centers` of TensorFlow.)
 * @param image row-major, `height * width` values
 * @returns row-major, `newHeight * newWidth` values
 */
export function resizeBilinear(
  image: ArrayLike<number>,
  height: number,
  width: number,
  newHeight: number,
  newWidth: number,
): Float32Array {
  const rows = samplePoints(height, newHeight);
  const columns = samplePoints(width, newWidth);
  const resized = new Float32Array(newHeight * newWidth);
  let place = 0;
  for (const row of rows) {
    for (const column of columns) {
      const at = (y: number, x: number) => image[y * width + x]!;
      const above = at(row.low, column.low) * (1 - column.part) + at(row.low, column.high) * column.part;
      const below = at(row.high, column.low) * (1 - column.part) + at(row.high, column.high) * column.part;
      resized[place++] = above * (1 - row.part) + below * row.part;
    }
  }
  return resized;
}

/** The two source pixels between which each target pixel lies, and how far it is from the lower one. */
function samplePoints(size: number, newSize: number): { low: number; high: number; part: number }[] {
  return Array.from({ length: newSize }, (_, index) => {
    const point = Math.min(Math.max(((index + 0.5) * size) / newSize - 0.5, 0), size - 1);
    const low = Math.floor(point);
    return { low, high: Math.min(low + 1, size - 1), part: point - low };
  });
}
