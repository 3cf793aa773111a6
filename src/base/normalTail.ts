/**
 * The chance that a chi-square variable of one degree of freedom is at least `x`: that a standard normal one is
 * beyond the root of x on either side, `erfc(sqrt(x / 2))`. To about 1e-14 of the value.
 */
export function chiSquareTail(x: number): number {
  return x <= 0 ? 1 : complementaryError(Math.sqrt(x / 2));
}

/**
 * How many standard errors to either side hold a share of a normal distribution: 1.96 for 0.95. Found by halving.
 * @param confidence above 0 and below 1
 */
export function normalBound(confidence: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (chiSquareTail(middle * middle) > 1 - confidence) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * `erfc(x)` for x >= 0: below 2 by the series of erf (Abramowitz and Stegun 7.1.6), above by the continued fraction of
 * erfc (7.1.14), evaluated from its end.
 */
function complementaryError(x: number): number {
  const bell = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; term > sum * 1e-17; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - 2 * bell * sum;
  }
  let fraction = x;
  for (let n = 120; n >= 1; n--) fraction = x + n / 2 / fraction;
  return bell / fraction;
}
