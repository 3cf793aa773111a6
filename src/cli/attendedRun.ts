import { createLogger, ElenchusError, type Logger, systemClock } from "../base/index.js";
import type { ServerEvent } from "../server/index.js";
import { collectedAtEnd } from "./collectedAtEnd.js";
import { type FinishedRun, runFederation } from "./federation.js";
import { liveTable } from "./liveTable.js";
import type { Output } from "./output.js";
import type { RunRequest } from "./runRequest.js";
import { stoppable } from "./signals.js";

/** A run that somebody watched, and the signal that ended it, if one did. */
export interface AttendedRun {
  readonly finished: FinishedRun;
  readonly received: NodeJS.Signals | null;
}

/** What a caller wants of a run beside its end. */
export interface Attendance {
  /** Aborting it ends the run in an orderly way. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ServerEvent) => void) | undefined;
}

/**
 * Runs a federation with a live table, and ends it in an orderly way on Ctrl-C, on SIGTERM, or when `signal`
 * is aborted.
 */
export async function attendRun(
  request: RunRequest,
  output: Output,
  { signal, onEvent }: Attendance = {},
): Promise<AttendedRun> {
  const table = liveTable(output, systemClock);
  const logger = loggerOf(request, table.print);
  const watched = request.log === "info" || request.log === "debug";
  try {
    const { value, received } = await stoppable(
      async (stop) => {
        const onAbort = () => stop.abort("stopped by the caller");
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) onAbort();
        try {
          const finished = await runFederation(request, {
            logger,
            clock: systemClock,
            signal: stop.signal,
            onEvent(event) {
              if (watched) table.see(event);
              onEvent?.(event);
            },
          });
          return await collectedAtEnd(finished, { logger, clock: systemClock, signal: stop.signal });
        } finally {
          signal?.removeEventListener("abort", onAbort);
        }
      },
      (name) =>
        logger.info(`${name === "SIGINT" ? "Ctrl-C" : name}: closing the files; once more ends at once`),
    );
    return { finished: located(value), received };
  } finally {
    table.close();
  }
}

/** Says of an interrupted run where its files are. */
function located(finished: FinishedRun): FinishedRun {
  if (finished.document.status !== "interrupted") return finished;
  const { run_id: runId, csv } = finished.document;
  const error = new ElenchusError(
    "INTERRUPTED",
    `The run ${runId} was ${finished.reason}; its files are closed: ${csv}. Go on with --resume --run-id ${runId}; the round in flight starts again.`,
    { details: { run_id: runId, csv } },
  );
  return { ...finished, error };
}

function loggerOf({ log }: RunRequest, print: (line: string) => void): Logger {
  return createLogger(log, (line, level) => print(level === "info" ? line : `${level}: ${line}`));
}
