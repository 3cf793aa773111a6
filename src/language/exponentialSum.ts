/** Steps between powers of two in the table. */
const STEPS = 2048;
const STEP = Math.LN2 / STEPS;
const STEPS_PER_UNIT = STEPS / Math.LN2;

/** 2^(step / STEPS) */
const FRACTIONS = Float64Array.from({ length: STEPS }, (_, step) => 2 ** (step / STEPS));
/** 2^-power */
const HALVINGS = Float64Array.from({ length: 1024 }, (_, power) => 2 ** -power);
/** What is smaller adds nothing to a sum of at least one. */
const LEAST = -700;

/**
 * Sum of e^(value - largest), to eleven digits. Of a large vocabulary it is most of what reading logits costs, and
 * `Math.exp` takes three times as long: here e^x is a table's nearest entry, times a polynomial for the rest, which
 * is below 0.00017.
 * @param largest at least as large as every value
 */
export function exponentialSum(values: ArrayLike<number>, largest: number): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    const exponent = values[index]! - largest;
    if (exponent < LEAST) continue;
    const nearest = (exponent * STEPS_PER_UNIT - 0.5) | 0;
    const rest = exponent - nearest * STEP;
    sum += FRACTIONS[nearest & (STEPS - 1)]! * HALVINGS[-(nearest >> 11)]! * (1 + rest * (1 + rest * 0.5));
  }
  return sum;
}
