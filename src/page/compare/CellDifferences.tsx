import type { ComparisonReply, Run } from "../../api/runs.js";
import { directionOf } from "../metrics/series.js";
import { ColumnName } from "../parts/ColumnName.jsx";
import { Direction } from "../parts/Direction.jsx";
import { shownNumber, signed } from "../parts/numbers.js";

interface CellsProps {
  readonly cells: ComparisonReply["cells"];
  /** What each side says of its columns. */
  readonly described: readonly Run["described"][];
}

/** Columns that both have. Whether a change is for the better is said where both agree which way that is. */
export function CellDifferences({ cells, described }: CellsProps) {
  return (
    <section>
      <h2>Recorded columns</h2>
      <div class="card-table">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col" class="number">
                A
              </th>
              <th scope="col" class="number">
                B
              </th>
              <th scope="col" class="number">
                Difference
              </th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {cells.map(({ column, a, b, difference }) => {
              const higher = directionOf(described.map((one) => one[column]?.higher_is_better)).common;
              const verdict = verdictOf(difference, higher);
              return (
                <tr key={column} data-row tabIndex={-1}>
                  <th scope="row" class="main-cell">
                    <ColumnName name={column} /> <Direction higher={higher} />
                  </th>
                  <td class="number" data-label="A">
                    {shownNumber(a)}
                  </td>
                  <td class="number" data-label="B">
                    {shownNumber(b)}
                  </td>
                  <td class="number" data-label="Difference">
                    {signed(difference)}
                  </td>
                  <td data-label="Change">
                    <span class={`verdict ${verdict}`}>{verdict === "unknown" ? "–" : verdict}</span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function verdictOf(
  difference: number,
  higher: boolean | null | undefined,
): "better" | "worse" | "same" | "unknown" {
  if (difference === 0) return "same";
  if (higher === null || higher === undefined) return "unknown";
  return difference > 0 === higher ? "better" : "worse";
}
