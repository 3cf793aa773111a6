import { useState } from "preact/hooks";
import type { DatasetDef } from "../../api/datasetDefinitions.js";
import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { counted } from "../parts/numbers.js";
import { holdsWords, SearchBox } from "../parts/SearchBox.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import { DeleteDialog } from "./DeleteDialog.jsx";
import { RegisterDialog } from "./RegisterDialog.jsx";

/** The registered data sets. */
export function DatasetList({ params }: { params: URLSearchParams }) {
  const asked = useReply((signal) => service.datasets(signal), "datasets");
  const [dialog, setDialog] = useState<{ remove?: string } | null>(null);
  const find = params.get("find") ?? "";
  const all = asked.value;
  const sets = all?.filter((one) => holdsWords(`${one.identifier} ${sourceOf(one)}`, find));
  const close = (changed: boolean) => {
    setDialog(null);
    if (changed) asked.reload();
  };
  return (
    <>
      <Heading title="Data sets">
        <div class="tools">
          <SearchBox
            label="Find data sets"
            value={find}
            onChange={(text) => changeParams({ find: text })}
            found={sets === undefined ? "" : counted(sets.length, "data set")}
          />
          <button type="button" class="primary" onClick={() => setDialog({})}>
            Register
          </button>
        </div>
      </Heading>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {all === undefined && !asked.problem && <Loading what="data sets" />}
      {all?.length === 0 && (
        <Empty title="There are no data sets yet.">
          <p>Register an address, a file or some rows.</p>
        </Empty>
      )}
      {all !== undefined && all.length > 0 && sets?.length === 0 && (
        <Empty title="No data set has these words." />
      )}
      {sets !== undefined && sets.length > 0 && (
        <div class="card-table">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col">Source</th>
                <th scope="col">
                  <span class="unseen">Delete</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {sets.map((one) => (
                <tr key={one.identifier}>
                  <td class="main-cell">
                    <a href={linkTo("datasets", one.identifier)} data-row>
                      {one.identifier}
                    </a>
                  </td>
                  <td data-label="Kind">{kindOf(one)}</td>
                  <td data-label="Source" class="source">
                    <code>{sourceOf(one)}</code>
                  </td>
                  <td class="tool-cell">
                    <button
                      type="button"
                      aria-label={`Delete ${one.identifier}`}
                      onClick={() => setDialog({ remove: one.identifier })}
                    >
                      Delete
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {dialog?.remove !== undefined && <DeleteDialog name={dialog.remove} close={close} />}
      {dialog !== null && dialog.remove === undefined && <RegisterDialog close={close} />}
    </>
  );
}

function sourceOf(one: DatasetDef): string {
  if (one.type === "huggingface") {
    return one.dataset_name === null ? one.dataset_path : `${one.dataset_path} (${one.dataset_name})`;
  }
  return one.url.length <= 120 ? one.url : `${one.url.slice(0, 117)}…`;
}

function kindOf(one: DatasetDef): string {
  if (one.type === "huggingface") return "hub";
  return KINDS[/^[a-z]+(?=:)/.exec(one.url)?.[0] ?? ""] ?? "file";
}

const KINDS: Record<string, string> = {
  rows: "rows",
  upload: "upload",
  data: "data URL",
  http: "address",
  https: "address",
};
