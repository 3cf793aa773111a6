import type { ComparisonReply } from "../../api/runs.js";
import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { holdsWords, SearchBox } from "../parts/SearchBox.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import { CellDifferences } from "./CellDifferences.jsx";
import { SampleDifferences } from "./SampleDifferences.jsx";
import { SideChoice } from "./SideChoice.jsx";

/** Is it better? A round of one run beside one of another, or of the same. */
export function ComparePage({ params }: { params: URLSearchParams }) {
  const [a, b] = [params.get("a") ?? "", params.get("b") ?? ""];
  const runs = useReply((signal) => service.runs(signal), "runs");
  const both = a !== "" && b !== "";
  const about = both ? JSON.stringify([a, b]) : "";
  const asked = useReply(async (signal) => (both ? await service.compare({ a, b }, signal) : null), about);
  return (
    <>
      <Heading title="Compare" />
      <div class="sides">
        <SideChoice
          name="A"
          value={a}
          runs={runs.value?.data ?? []}
          choose={(side) => changeParams({ a: side })}
        />
        <button
          type="button"
          aria-label="Swap A and B"
          title="Swap A and B"
          onClick={() => changeParams({ a: b, b: a })}
        >
          ⇄
        </button>
        <SideChoice
          name="B"
          value={b}
          runs={runs.value?.data ?? []}
          choose={(side) => changeParams({ b: side })}
        />
      </div>
      {runs.problem && <Problem problem={runs.problem} retry={runs.reload} />}
      {!both && (
        <Empty title="Choose what to compare.">
          <p>Two runs, or two rounds of one. Differences are B less A.</p>
        </Empty>
      )}
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {both && asked.value === undefined && !asked.problem && <Loading what="the comparison" />}
      {asked.value && <Compared found={asked.value} find={params.get("find") ?? ""} />}
    </>
  );
}

function Compared({ found, find }: { found: ComparisonReply; find: string }) {
  const ids = [found.a.run_id, found.b.run_id];
  const heads = useReply(
    (signal) => Promise.all(ids.map((id) => service.run(id, { last: 1 }, signal))),
    `columns of ${ids.join("\n")}`,
  ).value;
  const samples = found.samples.filter((one) =>
    holdsWords(`${one.evaluator} ${one.task} ${one.metric}`, find),
  );
  const cells = found.cells.filter((one) => holdsWords(one.column, find));
  const side = ({ run_id: id, round }: ComparisonReply["a"]) => (
    <>
      <a href={linkTo("runs", id)}>{id}</a> round {round}
    </>
  );
  return (
    <>
      <p class="compared">
        <strong>B</strong> {side(found.b)} less <strong>A</strong> {side(found.a)}
      </p>
      <SearchBox label="Find metrics" value={find} onChange={(text) => changeParams({ find: text })} />
      {found.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {samples.length > 0 && (
        <SampleDifferences samples={samples} confidence={found.confidence} a={found.a} b={found.b} />
      )}
      {cells.length > 0 && (
        <CellDifferences cells={cells} described={heads?.map((head) => head.described) ?? []} />
      )}
      {samples.length + cells.length === 0 && <Empty title="There is nothing that both have." />}
    </>
  );
}
