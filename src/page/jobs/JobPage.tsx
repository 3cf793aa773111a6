import { linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { Loading, Problem } from "../parts/States.jsx";
import { Status } from "../parts/Status.jsx";
import { Moment, spanBetween } from "../parts/times.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import type { ViewProps } from "../viewProps.js";
import { CancelButton } from "./CancelButton.jsx";
import { Figures } from "./Figures.jsx";
import { JobLog } from "./JobLog.jsx";
import { isActive, JobProgress } from "./JobProgress.jsx";
import { StoredStages } from "./StoredStages.jsx";

/** Between two looks at a job that goes on, in milliseconds. */
const PAUSE = 1_000;

/** One job: how far it is, what it says, what it has stored and what it came to. */
export function JobPage({ id }: ViewProps) {
  const asked = useReply(
    (signal) => service.job(id, signal),
    id,
    (job) => (isActive(job) ? PAUSE : undefined),
  );
  const job = asked.value;
  return (
    <>
      <Heading title={id}>
        <div class="tools">
          <a href={linkTo("jobs")}>All jobs</a>
          {job !== undefined && isActive(job) && <CancelButton id={id} done={asked.reload} />}
        </div>
      </Heading>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {job === undefined && !asked.problem && <Loading what="the job" />}
      {job !== undefined && (
        <>
          <dl class="facts">
            <div>
              <dt>Status</dt>
              <dd>
                <Status status={job.status} />
              </dd>
            </div>
            <div>
              <dt>Kind</dt>
              <dd>{job.kind}</dd>
            </div>
            <div>
              <dt>Created</dt>
              <dd>
                <Moment at={job.created_at} />
              </dd>
            </div>
            <div>
              <dt>Took</dt>
              <dd>{spanBetween(job.started_at, job.ended_at)}</dd>
            </div>
            <div class="grow">
              <dt>Progress</dt>
              <dd>
                <JobProgress job={job} />
              </dd>
            </div>
          </dl>
          {job.error && (
            <div class="problem" role="alert">
              <p>
                <code>{job.error.code}</code> {job.error.message}
              </p>
            </div>
          )}
          {job.result !== null && job.result !== undefined && <Figures result={job.result} />}
          <JobLog id={id} />
          <StoredStages id={id} still={!isActive(job)} />
          <details>
            <summary>Request</summary>
            <pre class="block">{JSON.stringify(job.params, null, 2)}</pre>
          </details>
        </>
      )}
    </>
  );
}
