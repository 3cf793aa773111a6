import { useEffect, useState } from "preact/hooks";
import { isDark, onThemeChange } from "../parts/theme.js";
import { lineOf } from "./colours.js";

const DASHES = { solid: undefined, dashed: "5 3", dotted: "1.5 2.5" } as const;

/** A piece of a run's line, as the charts draw it. */
export function LineMark({ place }: { place: number }) {
  const [dark, setDark] = useState(isDark());
  useEffect(() => onThemeChange(() => setDark(isDark())), []);
  const { colour, dash } = lineOf(place, dark);
  return (
    <svg class="line-mark" width="22" height="8" aria-hidden="true">
      <line x1="0" y1="4" x2="22" y2="4" stroke={colour} stroke-width="2" stroke-dasharray={DASHES[dash]} />
    </svg>
  );
}
