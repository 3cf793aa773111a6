import { useState } from "preact/hooks";
import type { Row } from "../../api/json.js";
import { Pager } from "../parts/Pager.jsx";
import { RecordTable } from "../parts/RecordTable.jsx";
import { Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";

const PAGE = 50;
/** Between two looks while rows come, in milliseconds. */
const PAUSE = 3_000;

/** The rows that a job has stored, stage by stage. @param still nothing more will come */
export function StoredStages({ id, still }: { id: string; still: boolean }) {
  const asked = useReply(
    (signal) => service.stages(id, signal),
    `${id} ${still}`,
    () => (still ? undefined : PAUSE),
  );
  const [open, setOpen] = useState<string>();
  const stages = [...(asked.value?.data ?? [])].sort((a, b) => placeOf(a.stage) - placeOf(b.stage));
  if (asked.problem) return <Problem problem={asked.problem} retry={asked.reload} />;
  if (stages.length === 0) return null;
  return (
    <section>
      <h2>Stored rows</h2>
      <fieldset class="tabs" aria-label="Stages">
        {stages.map(({ stage, count }) => (
          <button
            key={stage}
            type="button"
            aria-pressed={open === stage}
            onClick={() => setOpen(open === stage ? undefined : stage)}
          >
            {stage} <span class="quiet">{count}</span>
          </button>
        ))}
      </fieldset>
      {open !== undefined && <StageRows key={open} id={id} stage={open} />}
    </section>
  );
}

/** In the order in which rows go through them. */
const ORDER = ["preprocessed", "generated", "postprocessed"];

function placeOf(stage: string): number {
  const place = ORDER.indexOf(stage);
  return place < 0 ? ORDER.length : place;
}

function StageRows({ id, stage }: { id: string; stage: string }) {
  const [offset, setOffset] = useState(0);
  const asked = useReply(
    (signal) => service.stageRows(id, stage, { offset, limit: PAGE }, signal),
    `${stage} ${offset}`,
  );
  if (asked.problem) return <Problem problem={asked.problem} retry={asked.reload} />;
  if (asked.value === undefined) return <Loading what="rows" />;
  const { data, has_more: more } = asked.value;
  return (
    <>
      <RecordTable rows={data.map(({ row }) => asRow(row))} first={offset} label={`Rows of ${stage}`} />
      <Pager offset={offset} shown={data.length} size={PAGE} more={more} go={setOffset} />
    </>
  );
}

function asRow(row: unknown): Row {
  return typeof row === "object" && row !== null && !Array.isArray(row) ? (row as Row) : { row };
}
