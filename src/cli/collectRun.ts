import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, ElenchusError, type Logger, messageOf } from "../base/index.js";
import {
  type EvaluationOutcome,
  failedOutcome,
  registry,
  strictFailure,
  tableEntries,
} from "../evaluators/index.js";
import { outcomeOf } from "../evaluators/outcomes.js";
import {
  askPending,
  type CollectedJob,
  type PendingJob,
  readPendingJobs,
  removePending,
} from "../evaluators/service/pendingJobs.js";
import { withFileLock } from "../hub/fileLock.js";
import { Backfill, type RecordedRun, requireEnded } from "../results/index.js";

/** How jobs are collected. */
export interface CollectOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether jobs that go on are waited for, each until its deadline. */
  readonly wait: boolean;
}

/** What came of it. */
export interface CollectedRun {
  /** Rounds whose rows were filled, ascending. */
  readonly rounds: readonly number[];
  /** Jobs that go on, or whose service cannot be asked. */
  readonly waiting: readonly PendingJob[];
  /** Of evaluators with `fail_on_error = true`. */
  readonly failure: ElenchusError | undefined;
}

/** Milliseconds between two looks. */
const PAUSE = 2000;

/**
 * Fills the rows of a run that has ended with what its pending jobs came to. One process does so at a time; each row is
 * written as soon as its job is done.
 * @throws RUN_BUSY while the run goes on; RECORD_CORRUPT
 */
export async function collectRun(run: RecordedRun, options: CollectOptions): Promise<CollectedRun> {
  requireEnded(run);
  if ((await readPendingJobs(run.paths.folder)).length === 0) {
    return { rounds: [], waiting: [], failure: undefined };
  }
  const lock = join(run.paths.folder, "pending", ".lock");
  return await withFileLock(lock, { signal: options.signal }, async () => {
    const filled: { round: number; outcome: EvaluationOutcome }[] = [];
    for (;;) {
      const waiting: PendingJob[] = [];
      for (const job of await readPendingJobs(run.paths.folder)) {
        options.signal.throwIfAborted();
        const outcome = await collectJob(run, job, options);
        if (outcome === undefined) waiting.push(job);
        else filled.push({ round: job.round, outcome });
      }
      const waited = waiting.filter(({ deadline }) => deadline > options.clock.now());
      if (!options.wait || waited.length === 0) {
        return {
          rounds: [...new Set(filled.map(({ round }) => round))].sort((one, other) => one - other),
          waiting,
          failure: strictFailure(filled.map(({ outcome }) => outcome)),
        };
      }
      await sleep(PAUSE, undefined, { signal: options.signal });
    }
  });
}

/** @returns what the row was filled with; undefined where it has to wait */
async function collectJob(
  run: RecordedRun,
  job: PendingJob,
  options: CollectOptions,
): Promise<EvaluationOutcome | undefined> {
  const { logger, clock, signal } = options;
  let answer: CollectedJob;
  try {
    answer = await askPending(job, process.env, signal);
  } catch (error) {
    signal.throwIfAborted();
    // A service that does not know the job any more will not learn of it.
    if (!(error instanceof ElenchusError) || error.details.status !== 404) {
      logger.warn(`round ${job.round}: the job ${job.job_id} cannot be asked about: ${messageOf(error)}`);
      return undefined;
    }
    answer = { state: "failed", code: error.code, message: messageOf(error), seconds: 0 };
  }
  if (answer.state === "waiting") return undefined;
  const { evaluation } = (run.manifest?.config ?? {}) as { evaluation?: unknown };
  const backfill = new Backfill(run, {
    evaluation,
    declared: (type) => (registry.has(type) ? registry.declarations(type).metrics : undefined),
    clock,
    logger,
  });
  const outcome = outcomeFor(run, job, answer);
  await backfill.put(job.round, [outcome]);
  await removePending(run.paths.folder, job);
  logger.info(`round ${job.round}: ${job.name} ${outcome.status}`);
  return outcome;
}

function outcomeFor(
  run: RecordedRun,
  job: PendingJob,
  answer: Exclude<CollectedJob, { state: "waiting" }>,
): EvaluationOutcome {
  const entry = tableEntries(run.manifest?.config).find(({ name }) => name === job.name);
  const head = { name: job.name, type: job.type, failOnError: job.fail_on_error };
  const failed = (code: string, message: string) =>
    failedOutcome(head, { status: "failed", code, message, durationSeconds: answer.seconds });
  if (answer.state === "failed") return failed(answer.code, answer.message);
  const table = entry?.table;
  if (entry === undefined || table === undefined) {
    return failed("EVALUATION_CONFIG", `The run's configuration has no evaluator "${job.name}".`);
  }
  try {
    return outcomeOf(entry, table, answer.result, {}, answer.seconds);
  } catch (error) {
    return failed("RESULT_INVALID", messageOf(error));
  }
}
