/** The last number of a text as it is written, but without commas between digits and a plus; null for none. */
export function lastNumber(text: string): string | null {
  const found = text.match(NUMBER)?.at(-1);
  return found?.replaceAll(",", "").replace(/^[−]/, "-") ?? null;
}

/** A minus counts where no word or digit stands before it. */
const NUMBER =
  /(?:(?<![\p{L}\p{N}.])[-−])?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?/gu;

/** The last line that is not blank, trimmed; null for a blank text. */
export function lastLine(text: string): string | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}
