import { ElenchusError, type Logger, messageOf, sentence, withDeadline } from "../base/index.js";
import { cutText, type End, type Limits } from "../protocol/index.js";
import type { Ending } from "./rounds/federation.js";

/** Seconds for the record's last row to be read: clients wait for that. */
const ROW_SECONDS = 2;

export interface FarewellFacts {
  readonly ending: Ending;
  /** Rounds finished. */
  readonly rounds: number;
  /** Reads the record's last row. */
  readonly lastRow: (() => Promise<End["last_row"]>) | undefined;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** What clients are told at the end of a run. Never rejects: a row that cannot be had, or be sent, is left out. */
export async function farewellMessage(facts: FarewellFacts): Promise<End> {
  const { ending, rounds, limits, logger } = facts;
  const { status, reason, error } = ending;
  const bare: End = {
    status,
    reason: cutText(reason),
    rounds,
    last_row: null,
    error: error === null ? null : { code: error.code, message: cutText(error.message) },
  };
  if (facts.lastRow === undefined) return bare;
  try {
    const row = await withDeadline(facts.lastRow(), ROW_SECONDS * 1000, "Reading the last row");
    const whole: End = { ...bare, last_row: row };
    const bytes = Buffer.byteLength(JSON.stringify(whole));
    if (bytes <= limits.report_bytes) return whole;
    throw new ElenchusError(
      "PAYLOAD_INVALID",
      `with it the message has ${bytes} bytes, more than server.max_report_bytes = ${limits.report_bytes}`,
    );
  } catch (cause) {
    logger.warn(`Clients are not told the last row: ${sentence(messageOf(cause))}`);
    return bare;
  }
}
