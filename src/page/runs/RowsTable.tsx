import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ColumnName } from "../parts/ColumnName.jsx";
import { Direction } from "../parts/Direction.jsx";
import { decimalsOf, shownCell } from "../parts/numbers.js";
import { holdsWords } from "../parts/SearchBox.jsx";
import { Empty } from "../parts/States.jsx";
import type { RunRecord } from "./runRecord.js";

/** Sizes in pixels, as the style has them: a row, the first column, every other. */
const [ROW, FIRST, COLUMN] = [32, 72, 120];
/** What is drawn beyond the edges, in rows and columns, so that scrolling shows no gap. */
const [MORE_ROWS, MORE_COLUMNS] = [8, 2];

/** Rows of a run, of which only those in sight are drawn. The newest is at the top. */
export function RowsTable(props: { record: RunRecord; shown: readonly string[]; find: string }) {
  const { record, shown, find } = props;
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, height: innerHeight, width: innerWidth });
  const { run, total } = record;
  useLook(box, setView);
  useStillness(box, total);

  const columns = (run?.columns ?? [])
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => name !== "round")
    .filter(({ name }) => (shown.length > 0 ? shown.includes(name) : holdsWords(name, find)));
  const rows = inSight({ from: view.top, size: view.height, step: ROW, more: MORE_ROWS, count: total });
  const across = inSight({
    from: view.left,
    size: view.width,
    step: COLUMN,
    more: MORE_COLUMNS,
    count: columns.length,
  });
  const drawn = columns.slice(across.first, across.end);
  const left = across.first * COLUMN;
  const right = (columns.length - across.end) * COLUMN;
  const span = 1 + drawn.length + (left > 0 ? 1 : 0) + (right > 0 ? 1 : 0);
  const decimals = drawn.map(({ index }) =>
    decimalsOf(
      Array.from(
        { length: rows.end - rows.first },
        (_, row) => record.row(total - 1 - rows.first - row)?.[index],
      ),
    ),
  );
  const roundAt = run?.columns.indexOf("round") ?? -1;
  useEffect(() => record.need(total - rows.end, total - rows.first), [record, total, rows.first, rows.end]);

  if (columns.length === 0) return <Empty title="No column has such a name." />;
  return (
    <section
      ref={box}
      class="table-box rows"
      aria-label={`Rows of ${record.id}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
    >
      <table
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        style={{ width: `${FIRST + columns.length * COLUMN}px` }}
      >
        <colgroup>
          <col style={{ width: `${FIRST}px` }} />
          {left > 0 && <col style={{ width: `${left}px` }} />}
          {drawn.map(({ name }) => (
            <col key={name} style={{ width: `${COLUMN}px` }} />
          ))}
          {right > 0 && <col style={{ width: `${right}px` }} />}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="number" aria-colindex={1}>
              round
            </th>
            {left > 0 && <td aria-hidden="true" />}
            {drawn.map(({ name }, place) => (
              <th key={name} scope="col" class="number" title={name} aria-colindex={across.first + place + 2}>
                <ColumnName name={name} />
                {run?.described[name]?.higher_is_better != null && "\u00a0"}
                <Direction higher={run?.described[name]?.higher_is_better} />
              </th>
            ))}
            {right > 0 && <td aria-hidden="true" />}
          </tr>
        </thead>
        <tbody>
          <Gap height={rows.first * ROW} span={span} />
          {Array.from({ length: rows.end - rows.first }, (_, index) => {
            const place = total - 1 - (rows.first + index);
            const cells = record.row(place);
            return (
              <tr
                key={place}
                data-row
                data-place={place}
                data-loaded={cells !== undefined}
                tabIndex={-1}
                aria-rowindex={rows.first + index + 2}
              >
                <th scope="row" class="number">
                  {roundAt < 0 ? place + 1 : cells === undefined ? "…" : shownCell(cells[roundAt])}
                </th>
                {left > 0 && <td aria-hidden="true" />}
                {drawn.map(({ name, index: at }, column) => {
                  const cell = cells?.[at];
                  return (
                    <td
                      key={name}
                      class={typeof cell === "string" ? "text" : "number"}
                      title={cell === null || cell === undefined ? undefined : String(cell)}
                    >
                      {cells === undefined ? "" : shownCell(cell, decimals[column])}
                    </td>
                  );
                })}
                {right > 0 && <td aria-hidden="true" />}
              </tr>
            );
          })}
          <Gap height={(total - rows.end) * ROW} span={span} />
        </tbody>
      </table>
    </section>
  );
}

/** Room of the rows that are not drawn. */
function Gap({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr class="gap">
      <td aria-hidden="true" colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  );
}

/** Which of `count` things of size `step` are to be drawn. */
function inSight(of: { from: number; size: number; step: number; more: number; count: number }) {
  const first = Math.max(0, Math.min(of.count, Math.floor(of.from / of.step)) - of.more);
  const end = Math.min(of.count, Math.ceil((of.from + of.size) / of.step) + of.more);
  return { first, end: Math.max(first, end) };
}

interface Look {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
}

/** Where the box has been scrolled to, and its size. */
function useLook(box: { current: HTMLElement | null }, setView: (look: Look) => void): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () =>
      setView({
        top: current.scrollTop,
        left: current.scrollLeft,
        height: current.clientHeight,
        width: current.clientWidth,
      });
    look();
    current.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    return () => {
      current.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [box.current]);
}

/** New rows come in at the top; whoever reads further down keeps what they read under their eyes. */
function useStillness(box: { current: HTMLElement | null }, total: number): void {
  const before = useRef(total);
  useLayoutEffect(() => {
    const { current } = box;
    if (current !== null && current.scrollTop > ROW) current.scrollTop += (total - before.current) * ROW;
    before.current = total;
  }, [total]);
}
