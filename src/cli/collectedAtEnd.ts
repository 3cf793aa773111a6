import { dirname } from "node:path";
import { type Clock, type Logger, messageOf } from "../base/index.js";
import { findRun } from "../results/index.js";
import type { FinishedRun } from "./federation.js";
import { lastRowOf } from "./runDocument.js";

/** What the end of a run needs of its surroundings. */
export interface EndSurroundings {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Waits, at the end of a run, for evaluations that were handed to a service, and fills their rows. What is not there by
 * then can be collected later; the run itself has ended as it has.
 */
export async function collectedAtEnd(
  finished: FinishedRun,
  { logger, clock, signal }: EndSurroundings,
): Promise<FinishedRun> {
  const { run_id: runId, csv, status } = finished.document;
  if (status === "interrupted") return finished;
  try {
    const run = await findRun(csv, dirname(csv));
    const { readPendingJobs } = await import("../evaluators/service/pendingJobs.js");
    const jobs = await readPendingJobs(run.paths.folder);
    if (jobs.length === 0) return finished;
    logger.info(`waiting for ${jobs.length} evaluations that were handed to a service`);
    const { collectRun } = await import("./collectRun.js");
    const { waiting, failure } = await collectRun(run, { logger, clock, signal, wait: true });
    if (waiting.length > 0) logger.warn(`${waiting.length} are not done yet; ${later(runId)}`);
    const document = { ...finished.document, last_row: await lastRowOf(csv) };
    return { ...finished, document, error: finished.error ?? failure ?? null };
  } catch (error) {
    logger.warn(`Pending evaluations were not collected: ${messageOf(error)}; ${later(runId)}`);
    return finished;
  }
}

function later(runId: string): string {
  return `\`elenchus results collect ${runId}\` fills their rows.`;
}
