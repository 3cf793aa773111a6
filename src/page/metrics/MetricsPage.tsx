import { useMemo } from "preact/hooks";
import type { Run } from "../../api/runs.js";
import { changeParams, linkTo } from "../address.js";
import { ColumnName } from "../parts/ColumnName.jsx";
import { ColumnPicker } from "../parts/ColumnPicker.jsx";
import { Direction } from "../parts/Direction.jsx";
import { Heading } from "../parts/Heading.jsx";
import { shownNumber } from "../parts/numbers.js";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import { chosenColumns, standardColumns } from "./columns.js";
import { LineMark } from "./LineMark.jsx";
import { MetricChart } from "./MetricChart.jsx";
import { bestOf, directionOf, seriesOf } from "./series.js";
import { useColumns, useHeads } from "./useRuns.js";

/** Metrics over the rounds of several runs, each in a chart of its own, all runs in each. */
export function MetricsPage({ params }: { params: URLSearchParams }) {
  const ids = params.getAll("run");
  const chosen = chosenColumns(params);
  const find = params.get("find") ?? "";
  const heads = useHeads(ids);
  const shown = ids.flatMap((id) => heads.runs.get(id) ?? []);
  const columns = [...new Set(shown.flatMap((head) => head.columns))].filter((name) => name !== "round");
  const drawn = chosen.length > 0 ? chosen : standardColumns(columns);
  const loaded = useColumns(shown, drawn);
  const problems = [...heads.problems, ...loaded.problems];
  return (
    <>
      <Heading title="Metrics" />
      <RunChoice ids={ids} />
      {problems.map((problem) => (
        <Problem key={problem.message} problem={problem} />
      ))}
      {ids.length === 0 && <Empty title="Choose the runs whose metrics to see." />}
      {ids.length > 0 && shown.length === 0 && problems.length === 0 && <Loading what="metrics" />}
      {shown.length > 0 && (
        <>
          <ColumnPicker
            columns={columns}
            chosen={chosen}
            find={find}
            opens
            onFind={(text) => changeParams({ find: text })}
            onChoose={(names) => changeParams({ columns: names.join(",") })}
          />
          <div class="charts">
            {drawn.map((column) => (
              <Metric key={column} column={column} ids={ids} heads={heads.runs} runs={loaded.runs} />
            ))}
          </div>
          <p class="quiet">
            Bars and bands are the recorded interval of a metric (<code>_ci_low</code>, <code>_ci_high</code>
            ), else 1.96 standard errors to each side (<code>_stderr</code>). Where neither is recorded there
            are none.
          </p>
        </>
      )}
    </>
  );
}

interface MetricProps {
  readonly column: string;
  readonly ids: readonly string[];
  readonly heads: ReadonlyMap<string, Run>;
  readonly runs: ReadonlyMap<string, Run>;
}

function Metric({ column, ids, heads, runs }: MetricProps) {
  const series = useMemo(
    () => ids.map((id) => seriesOf(runs.get(id) ?? noRows(id), column)),
    [column, ids.join("\n"), runs],
  );
  const said = ids.map((id) => heads.get(id)?.described[column]?.higher_is_better);
  const { common, mixed } = directionOf(said);
  const directed = common !== undefined || mixed;
  return (
    <section class="card" aria-label={column}>
      <h2 class="metric-name">
        <ColumnName name={column} /> <Direction higher={common} />
      </h2>
      <MetricChart column={column} series={series} />
      <table class="legend">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col" class="number">
              Last
            </th>
            <th scope="col" class="number">
              {directed ? "Best" : "Round"}
            </th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ run, points }, place) => {
            const higher = said[place] ?? common;
            const [last, best] = [points.at(-1), bestOf({ run, points }, higher)];
            return (
              <tr key={run}>
                <th scope="row">
                  <LineMark place={place} /> <a href={linkTo("runs", run)}>{run}</a>{" "}
                  {mixed && <Direction higher={higher} />}
                </th>
                <td class="number">{last === undefined ? "–" : shownNumber(last.value)}</td>
                <td class="number">
                  {best === undefined ? (
                    "–"
                  ) : !directed ? (
                    best.round
                  ) : (
                    <>
                      {shownNumber(best.value)} <span class="quiet">@{best.round}</span>
                    </>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Which runs are shown; more can be added. */
function RunChoice({ ids }: { ids: readonly string[] }) {
  const asked = useReply((signal) => service.runs(signal), "runs");
  const others = asked.value?.data.filter(({ run_id: id }) => !ids.includes(id)) ?? [];
  return (
    <div class="tools">
      {ids.map((id) => (
        <span key={id} class="chip">
          {id}
          <button
            type="button"
            aria-label={`Take ${id} away`}
            onClick={() => changeParams({ run: ids.filter((one) => one !== id) })}
          >
            ×
          </button>
        </span>
      ))}
      <label class="inline">
        <span class="unseen">Add a run</span>
        <select
          value=""
          disabled={others.length === 0}
          onChange={(event) => changeParams({ run: [...ids, event.currentTarget.value] })}
        >
          <option value="">{ids.length === 0 ? "Choose a run …" : "Add a run …"}</option>
          {others.map(({ run_id: id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
    </div>
  );
}

function noRows(run_id: string): Run {
  const facts = { name: null, status: null, start: null, end: null, error: null };
  return { run_id, ...facts, columns: [], described: {}, from: 0, total: 0, rows: [] };
}
