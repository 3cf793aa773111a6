import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { Pager } from "../parts/Pager.jsx";
import { RecordTable } from "../parts/RecordTable.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import type { ViewProps } from "../viewProps.js";

const PAGE = 50;

/** The rows of a data set, page by page. */
export function DatasetPage({ id, params }: ViewProps) {
  const asked = Number(params.get("from"));
  const start = Number.isSafeInteger(asked) && asked > 0 ? asked : 0;
  const reply = useReply(
    (signal) => service.datasetRows(id, { start_index: start, limit: PAGE }, signal),
    `${id} ${start}`,
  );
  return (
    <>
      <Heading title={id}>
        <div class="tools">
          <a href={linkTo("datasets")}>All data sets</a>
        </div>
      </Heading>
      {reply.problem && <Problem problem={reply.problem} retry={reply.reload} />}
      {reply.value === undefined && !reply.problem && <Loading what="rows" />}
      {reply.value?.data.length === 0 && <Empty title="There are no rows here." />}
      {reply.value !== undefined && reply.value.data.length > 0 && (
        <>
          <RecordTable rows={reply.value.data} first={start} label={`Rows of ${id}`} />
          <Pager
            offset={start}
            shown={reply.value.data.length}
            size={PAGE}
            more={reply.value.has_more}
            go={(from) => changeParams({ from })}
          />
        </>
      )}
    </>
  );
}
