import { useState } from "preact/hooks";
import type { Row } from "../../api/json.js";

/** Rows of any columns. Long texts are cut until one asks for them whole. */
export function RecordTable({ rows, first, label }: { rows: readonly Row[]; first: number; label: string }) {
  const [whole, setWhole] = useState(false);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.currentTarget.checked)} />
        Whole texts
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section class="table-box" aria-label={label} tabIndex={0}>
        <table class={whole ? "records" : "records cut"}>
          <thead>
            <tr>
              <th scope="col" class="number">
                #
              </th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={first + place} data-row tabIndex={-1}>
                <td class="number quiet">{first + place}</td>
                {columns.map((column) => (
                  <td key={column} class={typeof row[column] === "number" ? "number" : undefined}>
                    <div>{shownValue(row[column])}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Any value as a text. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
