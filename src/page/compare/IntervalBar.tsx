import { signed } from "../parts/numbers.js";

interface IntervalProps {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** What reaches the edge. */
  readonly widest: number;
}

const [WIDTH, HEIGHT] = [140, 18];

/** A difference and its interval about nought. Where the interval leaves nought out, it is drawn in full. */
export function IntervalBar({ value, low, high, widest }: IntervalProps) {
  const place = (number: number) => WIDTH / 2 + (widest === 0 ? 0 : number / widest) * (WIDTH / 2 - 6);
  const known = low !== null && high !== null;
  const clear = known && (low > 0 || high < 0);
  const words = known ? `${signed(low)} to ${signed(high)}` : "no interval";
  return (
    <svg
      class={clear ? "interval clear" : "interval"}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <line class="nought" x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} />
      {known && <line class="range" x1={place(low)} x2={place(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />}
      <circle cx={place(value)} cy={HEIGHT / 2} r="3.5" />
    </svg>
  );
}
