import { useState } from "preact/hooks";
import type { JobReply } from "../../api/jobs.js";
import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { counted } from "../parts/numbers.js";
import { holdsWords, SearchBox } from "../parts/SearchBox.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { Status } from "../parts/Status.jsx";
import { Moment, spanBetween } from "../parts/times.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";
import { CancelButton } from "./CancelButton.jsx";
import { isActive, JobProgress } from "./JobProgress.jsx";

/** Between two looks while a job goes on, and while none does, in milliseconds. */
const [BUSY, QUIET] = [1_000, 5_000];

/** All jobs, the newest first. */
export function JobList({ params }: { params: URLSearchParams }) {
  // Older ones are reached from page to page; only the first page is looked at again and again.
  const [trail, setTrail] = useState<readonly string[]>([]);
  const after = trail.at(-1);
  const asked = useReply(
    (signal) => service.jobs(after, signal),
    `jobs ${after ?? ""}`,
    ({ data }) => (data.some(isActive) ? BUSY : QUIET),
  );
  const find = params.get("find") ?? "";
  const all = asked.value?.data;
  const jobs = all?.filter((job) => holdsWords(`${job.job_id} ${job.kind} ${job.status}`, find));
  return (
    <>
      <Heading title="Jobs">
        <div class="tools">
          <SearchBox
            label="Find jobs"
            value={find}
            onChange={(text) => changeParams({ find: text })}
            found={jobs === undefined ? "" : counted(jobs.length, "job")}
          />
        </div>
      </Heading>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {all === undefined && !asked.problem && <Loading what="jobs" />}
      {all?.length === 0 && (
        <Empty title="There are no jobs yet.">
          <p>
            <code>elenchus eval run</code> makes one: a model, a data set, a scorer.
          </p>
        </Empty>
      )}
      {jobs !== undefined && jobs.length > 0 && (
        <div class="card-table">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col">Kind</th>
                <th scope="col">Status</th>
                <th scope="col">Progress</th>
                <th scope="col">Created</th>
                <th scope="col">Took</th>
                <th scope="col">
                  <span class="unseen">Cancel</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.map((job) => (
                <JobLine key={job.job_id} job={job} reload={asked.reload} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {all !== undefined && all.length > 0 && jobs?.length === 0 && <Empty title="No job has these words." />}
      {(trail.length > 0 || asked.value?.has_more) && (
        <nav class="pager" aria-label="Pages of jobs">
          <button type="button" disabled={trail.length === 0} onClick={() => setTrail(trail.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={!asked.value?.has_more}
            onClick={() => setTrail([...trail, ...(all?.at(-1) ? [all.at(-1)!.job_id] : [])])}
          >
            Older
          </button>
        </nav>
      )}
    </>
  );
}

function JobLine({ job, reload }: { job: JobReply; reload: () => void }) {
  return (
    <tr>
      <td class="main-cell">
        <a href={linkTo("jobs", job.job_id)} data-row>
          {job.job_id}
        </a>
      </td>
      <td data-label="Kind">{job.kind}</td>
      <td>
        <Status status={job.status} />
      </td>
      <td class="wide-cell">
        <JobProgress job={job} />
      </td>
      <td data-label="Created">
        <Moment at={job.created_at} />
      </td>
      <td data-label="Took">{spanBetween(job.started_at, job.ended_at)}</td>
      <td class="tool-cell">{isActive(job) && <CancelButton id={job.job_id} done={reload} />}</td>
    </tr>
  );
}
