/** How positions become angles. */
export interface RotarySettings {
  /** Numbers of a head that are turned, in pairs. */
  readonly size: number;
  /** Base of the wave lengths, `rope_theta`. */
  readonly base: number;
  readonly scaling: RotaryScaling;
}

/** How a model was stretched beyond the context it was first trained on; names as in `config.json`. */
export type RotaryScaling =
  | { readonly type: "default" }
  | { readonly type: "linear"; readonly factor: number }
  | { readonly type: "dynamic"; readonly factor: number; readonly originalContext: number }
  | {
      readonly type: "llama3";
      readonly factor: number;
      readonly lowFrequencyFactor: number;
      readonly highFrequencyFactor: number;
      readonly originalContext: number;
    }
  | {
      readonly type: "yarn";
      readonly factor: number;
      readonly betaFast: number;
      readonly betaSlow: number;
      /** Factor of cosines and sines. */
      readonly attentionFactor: number;
      readonly truncate: boolean;
      readonly originalContext: number;
    };

/**
 * Radians per position for every pair, rounded to 32 bits where reference implementations round.
 * @param total tokens of the row; only `dynamic` looks at it
 */
export function rotaryFrequencies({ size, base, scaling }: RotarySettings, total: number): Float32Array {
  switch (scaling.type) {
    case "default":
      return plain(size, base);
    case "linear":
      return plain(size, base).map((frequency) => frequency / scaling.factor);
    case "dynamic":
      return plain(size, dynamicBase(size, base, scaling, total));
    case "llama3":
      return plain(size, base).map((frequency) => llama3(frequency, scaling));
    case "yarn":
      return yarn(plain(size, base), size, base, scaling);
  }
}

/** base^(-2 pair / size) (Su et al. 2021, arXiv:2104.09864). */
function plain(size: number, base: number): Float32Array {
  return Float32Array.from(
    { length: size / 2 },
    (_, pair) => 1 / Math.fround(base ** Math.fround((2 * pair) / size)),
  );
}

type Scaling<T extends RotaryScaling["type"]> = Extract<RotaryScaling, { type: T }>;

/** "NTK-aware" scaling that grows with the row: no change up to the original context. */
function dynamicBase(
  size: number,
  base: number,
  { factor, originalContext }: Scaling<"dynamic">,
  total: number,
): number {
  const stretch = (factor * Math.max(total, originalContext)) / originalContext - (factor - 1);
  return base * stretch ** (size / (size - 2));
}

/** Llama 3.1: short waves stay, long ones are stretched, those between are blended. */
function llama3(frequency: number, scaling: Scaling<"llama3">): number {
  const { factor, lowFrequencyFactor: low, highFrequencyFactor: high, originalContext } = scaling;
  const length = (2 * Math.PI) / frequency;
  if (length < originalContext / high) return frequency;
  if (length > originalContext / low) return frequency / factor;
  const smooth = (originalContext / length - low) / (high - low);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}

/** YaRN (Peng et al. 2023, arXiv:2309.00071): blended over the pairs by how often they turn in the original context. */
function yarn(frequencies: Float32Array, size: number, base: number, scaling: Scaling<"yarn">): Float32Array {
  const { factor, betaFast, betaSlow, truncate, originalContext } = scaling;
  const pairThatTurns = (times: number) =>
    (size * Math.log(originalContext / (times * 2 * Math.PI))) / (2 * Math.log(base));
  const [first, last] = [pairThatTurns(betaFast), pairThatTurns(betaSlow)];
  const low = Math.max(truncate ? Math.floor(first) : first, 0);
  let high = Math.min(truncate ? Math.ceil(last) : last, size - 1);
  if (low === high) high += 0.001;
  return frequencies.map((frequency, pair) => {
    const stretched = Math.min(Math.max((pair - low) / (high - low), 0), 1);
    return (frequency / factor) * stretched + frequency * (1 - stretched);
  });
}
