import { useState } from "preact/hooks";
import type { RunSummary } from "../../api/runs.js";
import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { counted, shownCell } from "../parts/numbers.js";
import { holdsWords, SearchBox } from "../parts/SearchBox.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { Status } from "../parts/Status.jsx";
import { Moment, spanBetween } from "../parts/times.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";

/** Between two looks while a run goes on, and while none does, in milliseconds. */
const [BUSY, QUIET] = [2_000, 10_000];

/** All runs, the newest first. Those that are ticked can be seen side by side. */
export function RunList({ params }: { params: URLSearchParams }) {
  const asked = useReply(
    (signal) => service.runs(signal),
    "runs",
    ({ data }) => (data.some(({ status }) => status === "running") ? BUSY : QUIET),
  );
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const find = params.get("find") ?? "";
  const all = asked.value?.data;
  const runs = all?.filter((run) => holdsWords(`${run.run_id} ${run.status ?? ""}`, find));
  return (
    <>
      <Heading title="Runs">
        <div class="tools">
          <SearchBox
            label="Find runs"
            value={find}
            onChange={(text) => changeParams({ find: text })}
            found={runs === undefined ? "" : counted(runs.length, "run")}
          />
          <Side ticked={ticked} />
        </div>
      </Heading>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {all === undefined && !asked.problem && <Loading what="runs" />}
      {all?.length === 0 && (
        <Empty title="There are no runs yet.">
          <p>
            <code>elenchus run CONFIG.toml</code> makes one; the service shows those of its own results
            folder.
          </p>
        </Empty>
      )}
      {all !== undefined && all.length > 0 && runs?.length === 0 && <Empty title="No run has such a name." />}
      {runs !== undefined && runs.length > 0 && (
        <div class="card-table">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">
                  <span class="unseen">Choose</span>
                </th>
                <th scope="col">Run</th>
                <th scope="col">Status</th>
                <th scope="col" class="number">
                  Rounds
                </th>
                <th scope="col" class="number">
                  Accuracy
                </th>
                <th scope="col" class="number">
                  Primary value
                </th>
                <th scope="col">Started</th>
                <th scope="col">Took</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <RunLine
                  key={run.run_id}
                  run={run}
                  ticked={ticked.includes(run.run_id)}
                  tick={(on) =>
                    setTicked((before) => [
                      ...before.filter((id) => id !== run.run_id),
                      ...(on ? [run.run_id] : []),
                    ])
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function RunLine({ run, ticked, tick }: { run: RunSummary; ticked: boolean; tick: (on: boolean) => void }) {
  const { run_id: id, last_row: last } = run;
  return (
    <tr>
      <td class="tick">
        <input
          type="checkbox"
          aria-label={`Choose ${id}`}
          checked={ticked}
          onChange={(event) => tick(event.currentTarget.checked)}
        />
      </td>
      <td class="main-cell">
        <a href={linkTo("runs", id)} data-row>
          {id}
        </a>
      </td>
      <td>
        <Status status={run.status} />
      </td>
      <td class="number" data-label="Rounds">
        {run.rounds}
      </td>
      <td class="number" data-label="Accuracy">
        {shownCell(last?.accuracy)}
      </td>
      <td class="number" data-label="Primary value">
        {shownCell(last?.evaluation_primary_value)}
      </td>
      <td data-label="Started">
        <Moment at={run.start} />
      </td>
      <td data-label="Took">
        {spanBetween(run.start, run.status === "running" ? null : (run.end ?? run.start))}
      </td>
    </tr>
  );
}

/** Where the ticked runs can be seen together. */
function Side({ ticked }: { ticked: readonly string[] }) {
  const [a, b] = ticked;
  const go = (view: string, params: Parameters<typeof linkTo>[2]) => {
    location.hash = linkTo(view, undefined, params);
  };
  return (
    <div class="buttons">
      <button type="button" disabled={ticked.length === 0} onClick={() => go("metrics", { run: ticked })}>
        Metrics side by side
      </button>
      <button type="button" disabled={ticked.length !== 2} onClick={() => go("compare", { a, b })}>
        Compare two
      </button>
    </div>
  );
}
