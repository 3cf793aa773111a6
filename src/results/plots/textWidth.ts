/**
 * Width of a text in DejaVu Sans, in pixels: without a browser nobody else can say, and a guess puts the entries of a
 * legend on top of each other.
 * @param font as in CSS: `bold 14px DejaVu Sans`
 */
export function textWidth(text: string, font: string): number {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12);
  const bold = /\bbold\b/.test(font) ? BOLD : 1;
  let thousandths = 0;
  for (const character of text) thousandths += WIDTHS[character.codePointAt(0)! - 32] ?? OTHERS;
  return (thousandths * size * bold) / 1000;
}

/** Advance widths of U+0020 to U+007E in thousandths of the size: the font's `hmtx` table. */
// biome-ignore format: a table
const WIDTHS = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
  636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
  1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
  603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
  500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
  635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];
/** Arrows and most other letters. */
const OTHERS = 838;
/** The bold cut, over the same characters. */
const BOLD = 1.104;
