/**
 * The characters in all texts of a value, names of its fields included and arrays of numbers not; counting ends once there are more than `enough`.
 */
export function textLength(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  let sum = 0;
  // Values that come from outside may be nested deeper than calls may be.
  const left: unknown[] = [value];
  while (left.length > 0 && sum <= enough) {
    const one = left.pop();
    if (typeof one === "string") sum += one.length;
    else if (ArrayBuffer.isView(one)) continue;
    else if (Array.isArray(one)) for (const item of one) left.push(item);
    else if (typeof one === "object" && one !== null) {
      for (const [key, item] of Object.entries(one)) {
        sum += key.length;
        left.push(item);
      }
    }
  }
  return sum;
}
