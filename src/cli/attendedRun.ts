import { createLogger, ElenchusError, type Logger, systemClock } from "../base/index.js";
import { type FinishedRun, runFederation } from "./federation.js";
import { liveTable } from "./liveTable.js";
import type { Output } from "./output.js";
import type { RunRequest } from "./runRequest.js";

/** A run that somebody watched, and the signal that ended it, if one did. */
export interface AttendedRun {
  readonly finished: FinishedRun;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a federation with a live table, and ends it in an orderly way on Ctrl-C, on SIGTERM, or when `signal`
 * is aborted. A second Ctrl-C ends the process at once.
 */
export async function attendRun(
  request: RunRequest,
  output: Output,
  signal?: AbortSignal,
): Promise<AttendedRun> {
  const stopping = new AbortController();
  const table = liveTable(output, systemClock);
  const logger = loggerOf(request, table.print);
  let received: NodeJS.Signals | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    if (received !== null) process.exit(name === "SIGTERM" ? 143 : 130);
    received = name;
    logger.info(`${name === "SIGINT" ? "Ctrl-C" : name}: closing the files; once more ends at once`);
    stopping.abort(`stopped by ${name}`);
  };
  const onAbort = () => stopping.abort("stopped by the caller");
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    const quiet = request.log === "silent" || request.log === "error" || request.log === "warn";
    const finished = await runFederation(request, {
      logger,
      clock: systemClock,
      signal: stopping.signal,
      onEvent: quiet ? () => {} : table.see,
    });
    return { finished: interrupted(finished), signal: received };
  } finally {
    table.close();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    signal?.removeEventListener("abort", onAbort);
  }
}

function interrupted(finished: FinishedRun): FinishedRun {
  if (finished.document.status !== "interrupted" || finished.error !== null) return finished;
  const { run_id: runId, csv } = finished.document;
  const error = new ElenchusError(
    "INTERRUPTED",
    `The run ${runId} was stopped (${finished.reason}); its files are closed: ${csv}. Continue it with --resume.`,
    { details: { run_id: runId, csv } },
  );
  return { ...finished, error };
}

function loggerOf({ log }: RunRequest, print: (line: string) => void): Logger {
  return createLogger(log, (line, level) => print(level === "info" ? line : `${level}: ${line}`));
}
