/** Colours of lines, told apart also by those who do not see all colours; on light and on dark ground. */
const LINES = [
  ["#2f62b5", "#7fb0f5"],
  ["#b8541a", "#f0a060"],
  ["#23795a", "#62c7a0"],
  ["#7b4aa8", "#bd9bea"],
  ["#a83250", "#f090a4"],
  ["#4d6670", "#a5bcc6"],
] as const;
/** Beside the colour, since not everybody sees it. */
const DASHES = ["solid", "dashed", "dotted"] as const;

/** How the line of the n-th run is drawn. */
export function lineOf(place: number, dark: boolean): { colour: string; dash: (typeof DASHES)[number] } {
  const [light, onDark] = LINES[place % LINES.length] ?? LINES[0];
  return {
    colour: dark ? onDark : light,
    dash: DASHES[Math.floor(place / LINES.length + (place % LINES.length)) % DASHES.length] ?? "solid",
  };
}

/** What is around the lines. */
export function inksOf(dark: boolean) {
  return dark
    ? { ink: "#d6d7d9", quiet: "#9da2aa", line: "#33373d", ground: "#1c1e21" }
    : { ink: "#2a2c30", quiet: "#62666d", line: "#e4e4e0", ground: "#ffffff" };
}
