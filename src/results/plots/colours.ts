/** Tableau's twenty, strong ones first: neighbours differ in hue, pairs of hues in lightness. */
export const COLOURS: readonly string[] = [
  ...[
    "#4e79a7",
    "#f28e2b",
    "#59a14f",
    "#e15759",
    "#b07aa1",
    "#edc948",
    "#76b7b2",
    "#9c755f",
    "#ff9da7",
    "#79706e",
  ],
  ...[
    "#a0cbe8",
    "#ffbe7d",
    "#8cd17d",
    "#d37295",
    "#d4a6c8",
    "#f1ce63",
    "#499894",
    "#d7b5a6",
    "#fabfd2",
    "#bab0ac",
  ],
];

/** Text that explains, beside text that names. */
export const QUIET = "#5b6570";
/** Lines that only guide the eye. */
export const FAINT = "#e4e7eb";
