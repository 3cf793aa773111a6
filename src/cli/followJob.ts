import { type JobDetails, jobRoutes, type LogLine, logLineSchema, type ServiceClient } from "../api/index.js";
import { ElenchusError, ERROR_CATALOGUE, type ErrorCode } from "../base/index.js";
import type { Output } from "./output.js";
import { signalStatus, stoppable } from "./signals.js";

/** How a job is followed. */
export interface FollowOptions {
  readonly output: Output;
  /** Says nothing of its progress. */
  readonly quiet: boolean;
  readonly setExit: (status: number) => void;
  /** First line of the log. */
  readonly from?: number;
  /** Takes the lines of the log; absent: they are shown as progress. */
  readonly line?: (line: LogLine) => void;
}

/** How long a service may be silent: longer than between two signs of life. */
const SILENCE = 60_000;

/**
 * Follows a job to its end. Ctrl-C ends the following, not the job.
 * @returns undefined where it was stopped
 */
export async function followJob(
  client: ServiceClient,
  id: string,
  { output, quiet, setExit, from = 0, line }: FollowOptions,
): Promise<JobDetails | undefined> {
  const params = { job_id: id };
  const { received } = await stoppable(async ({ signal }) => {
    try {
      const input = { params, query: { from } };
      for await (const { event, data } of client.events(jobRoutes.logs, input, {
        signal,
        timeout: SILENCE,
      })) {
        if (event !== "log") continue;
        const told = logLineSchema.parse(JSON.parse(data));
        if (line !== undefined) line(told);
        else if (!quiet) output.stderr(`${told.message}\n`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
  if (received === null) return await client.call(jobRoutes.get, { params });
  output.stderr(
    `Job ${id} goes on; \`elenchus eval logs ${id}\` follows it, \`elenchus eval cancel ${id}\` ends it.\n`,
  );
  setExit(signalStatus(received));
  return undefined;
}

/** @throws what the job failed with; JOB_CANCELLED */
export function requireCompleted({ job_id, status, error }: JobDetails): void {
  if (status === "completed") return;
  const { code, message } = error ?? { code: "JOB_CANCELLED", message: "someone has cancelled it." };
  const known = Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : "INTERNAL";
  throw new ElenchusError(known, `Job ${job_id} is ${status}: ${message}`, {
    details: { documentPrinted: true },
  });
}
