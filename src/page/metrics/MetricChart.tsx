import { useEffect, useRef, useState } from "preact/hooks";
import { shownNumber } from "../parts/numbers.js";
import { isDark, onThemeChange } from "../parts/theme.js";
import type { Chart } from "./drawChart.js";
import type { Series } from "./series.js";

/** The lines of a metric. Charts are loaded with the first of them; its room is kept free until then. */
export function MetricChart({ column, series }: { column: string; series: readonly Series[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart>();
  const [failed, setFailed] = useState(false);
  const [dark, setDark] = useState(isDark());
  useEffect(() => onThemeChange(() => setDark(isDark())), []);
  useEffect(() => {
    let made: Chart | undefined;
    let gone = false;
    const sizes = new ResizeObserver(() => made?.resize());
    import("./drawChart.js").then(
      ({ createChart }) => {
        if (gone || box.current === null) return;
        made = createChart(box.current);
        sizes.observe(box.current);
        setChart(made);
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      sizes.disconnect();
      made?.remove();
    };
  }, []);
  useEffect(() => chart?.draw({ series, dark }), [chart, series, dark]);
  if (failed) return <p class="chart quiet">The charts cannot be loaded; the numbers are below.</p>;
  return <div ref={box} class="chart" role="img" aria-label={inWords(column, series)} />;
}

/** A chart for those who cannot see it; all numbers stand in the table of the run. */
function inWords(column: string, series: readonly Series[]): string {
  const lines = series.map(({ run, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return `${run}: not measured`;
    return `${run}: ${shownNumber(first.value)} in round ${first.round}, ${shownNumber(last.value)} in round ${last.round}`;
  });
  return `${column} over rounds. ${lines.join("; ")}`;
}
