import { textWidth } from "./textWidth.js";

/** Where a panel lies, in pixels, its axes' names outside. */
export interface Cell {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Page {
  readonly width: number;
  /** Kept free above the panels' headings and below the last row. */
  readonly top: number;
  readonly bottom: number;
}

/** Lays panels out: one alone is large, more stand in two columns. */
export function cells(count: number, { width, top, bottom }: Page): { places: Cell[]; height: number } {
  const columns = count === 1 ? 1 : 2;
  const own = { width: width / columns - LEFT - RIGHT, height: count === 1 ? 420 : 280 };
  const row = HEADING + own.height + BELOW;
  const places = Array.from({ length: count }, (_, place) => ({
    left: (place % columns) * (width / columns) + LEFT,
    top: top + Math.floor(place / columns) * row + HEADING,
    ...own,
  }));
  return { places, height: top + Math.ceil(count / columns) * row + bottom };
}

/** Around a panel: names of axes and ticks, heading. */
const LEFT = 92;
const RIGHT = 34;
const HEADING = 36;
const BELOW = 62;

/** Height of a legend that holds these names, in lines as wide as the page. */
export function legendHeight(names: readonly string[], width: number): number {
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const own = 50 + textWidth(name, "12px");
    if (used > 0 && used + own > width - 80) {
      lines++;
      used = 0;
    }
    used += own;
  }
  return 14 + 24 * lines;
}
