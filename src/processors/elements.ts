/** Number of elements of a shape. */
export function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
