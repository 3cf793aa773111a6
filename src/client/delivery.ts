import { setTimeout } from "node:timers/promises";
import { ElenchusError, type Logger, messageOf, sentence } from "../base/index.js";
import {
  type Ask,
  announce,
  type Limits,
  type Payload,
  preparePayload,
  request,
  sendPayload,
} from "../protocol/index.js";
import { fittingReport } from "./reportedEvaluations.js";
import { failedWork, reportOf, type Work, type WorkResult } from "./work.js";

export interface DeliveryOptions {
  readonly ask: Ask;
  readonly limits: Limits;
  readonly logger: Logger;
  /** Level for what the server knows too. */
  readonly told: "debug" | "warn";
}

/** Seconds before a server is asked again that had no room for one more payload. */
const BUSY_SECONDS = 1;

/**
 * Tells the server the result of work.
 * @returns false when the connection was lost before the server had it: deliver again on the next one
 */
export async function deliver(work: Work, result: WorkResult, options: DeliveryOptions): Promise<boolean> {
  try {
    if (result.kind === "failed") await sendFailure(work, result, options);
    else await sendUpdate(work, result, options);
    return true;
  } catch (error) {
    if (work.abort.signal.aborted) return true;
    const code = error instanceof ElenchusError ? error.code : "INTERNAL";
    if (code === "CONNECTION_LOST") return false;
    // A server that refused the update knows; of everything else it must be told.
    const refused = error instanceof ElenchusError && error.details.refusal !== undefined;
    const untold = !refused && result.kind === "failed";
    options.logger[untold ? "warn" : options.told](
      `The work of client ${work.clientId} in round ${work.round} was not taken: ${sentence(messageOf(error))}`,
    );
    if (refused || result.kind === "failed") return true;
    return deliver(work, failedWork(error), options);
  }
}

async function sendFailure(
  work: Work,
  { code, message }: Extract<WorkResult, { kind: "failed" }>,
  { ask, limits, logger }: DeliveryOptions,
): Promise<void> {
  const failed = { round: work.round, client_id: work.clientId, code, message };
  const reply = await request(ask, "failed", failed, { milliseconds: limits.payload_seconds * 1000 });
  if (!reply.ok) logger.debug(`The failure was not taken [${reply.code}]: ${reply.message}`);
}

async function sendUpdate(
  work: Work,
  update: Extract<WorkResult, { kind: "update" }>,
  { ask, limits, logger }: DeliveryOptions,
): Promise<void> {
  const { signal } = work.abort;
  const payload = prepare(update.parts, limits);
  for (;;) {
    const transfer = announce(payload);
    const report = fittingReport(reportOf(work, update, transfer), limits.report_bytes);
    const reply = await request(ask, "report", report, { milliseconds: limits.payload_seconds * 1000 });
    if (reply.ok) {
      await sendPayload(ask, payload, transfer, { limits, signal });
      return;
    }
    if (reply.code !== "busy") {
      logger.debug(`The report was not taken [${reply.code}]: ${reply.message}`);
      return;
    }
    await setTimeout(BUSY_SECONDS * 1000, undefined, { signal });
  }
}

/** Without details: a payload that this end cannot send was not refused by the other. */
function prepare(parts: readonly Uint8Array[], limits: Limits): Payload {
  try {
    return preparePayload(parts, limits);
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    throw new ElenchusError(error.code, error.message, { cause: error });
  }
}
