import { counted } from "./numbers.js";

/** From one page of rows to the next. */
export function Pager(props: {
  offset: number;
  shown: number;
  size: number;
  more: boolean;
  go: (offset: number) => void;
}) {
  const { offset, shown, size, more, go } = props;
  if (offset === 0 && !more) return <p class="quiet">{counted(shown, "row")}</p>;
  return (
    <nav class="pager" aria-label="Pages of rows">
      <button type="button" disabled={offset === 0} onClick={() => go(Math.max(0, offset - size))}>
        Previous
      </button>
      <span role="status">
        Rows {offset} to {offset + shown - 1}
      </span>
      <button type="button" disabled={!more} onClick={() => go(offset + size)}>
        Next
      </button>
    </nav>
  );
}
