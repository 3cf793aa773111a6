import { changeParams, linkTo } from "../address.js";
import { chosenColumns } from "../metrics/columns.js";
import { ColumnPicker } from "../parts/ColumnPicker.jsx";
import { Heading } from "../parts/Heading.jsx";
import { counted } from "../parts/numbers.js";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { Status } from "../parts/Status.jsx";
import { Moment, spanBetween } from "../parts/times.jsx";
import type { ViewProps } from "../viewProps.js";
import { RowsTable } from "./RowsTable.jsx";
import { useRunRecord } from "./runRecord.js";

/** One run: how it stands, and its rows, the newest first, while they come. */
export function RunPage({ id, params }: ViewProps) {
  const record = useRunRecord(id);
  const { run, problem } = record;
  const find = params.get("find") ?? "";
  const chosen = chosenColumns(params);
  return (
    <>
      <Heading title={id}>
        <nav class="tabs" aria-label="Of this run">
          <a href={linkTo("runs", id)} aria-current="page">
            Rows
          </a>
          <a href={linkTo("metrics", undefined, { run: [id], columns: params.get("columns") })}>Metrics</a>
          <a href={linkTo("samples", undefined, { run: id })}>Samples</a>
          <a href={linkTo("compare", undefined, { b: id })}>Compare</a>
        </nav>
      </Heading>
      {problem && <Problem problem={problem} />}
      {run === undefined && !problem && <Loading what="rows" />}
      {run !== undefined && (
        <>
          <dl class="facts">
            <div>
              <dt>Status</dt>
              <dd>
                <Status status={run.status} />
              </dd>
            </div>
            <div>
              <dt>Rounds</dt>
              <dd>{run.total}</dd>
            </div>
            <div>
              <dt>Started</dt>
              <dd>
                <Moment at={run.start} />
              </dd>
            </div>
            <div>
              <dt>Took</dt>
              <dd>{spanBetween(run.start, run.status === "running" ? null : (run.end ?? run.start))}</dd>
            </div>
            <div>
              <dt>Columns</dt>
              <dd>{run.columns.length}</dd>
            </div>
          </dl>
          {run.error && <RunError {...run.error} />}
          <ColumnPicker
            columns={run.columns}
            chosen={chosen}
            find={find}
            onFind={(text) => changeParams({ find: text })}
            onChoose={(columns) => changeParams({ columns: columns.join(",") })}
          />
          {run.total === 0 ? (
            <Empty
              title={run.status === "running" ? "No round has been recorded yet." : "No round was recorded."}
            >
              {run.status === "running" && <p>Its row will appear here as soon as it is.</p>}
            </Empty>
          ) : (
            <RowsTable record={record} shown={chosen} find={find} />
          )}
          <p class="quiet" data-arrived={record.arrived}>
            {run.total > 0 && `${counted(run.total, "row")}, the newest first`}
            {run.total > 0 && run.status === "running" && "; new rows appear as they are recorded"}
          </p>
        </>
      )}
    </>
  );
}

function RunError({ code, message }: { code: string; message: string }) {
  return (
    <div class="problem">
      <p>
        <code>{code}</code> {message}
      </p>
    </div>
  );
}
