import { type Logger, messageOf } from "../base/index.js";
import type { ServerEvent } from "./serverEvents.js";

/**
 * Tells the spectator what happens, and the log what went wrong with clients. A spectator that throws does
 * not harm the run.
 */
export function createSpectator(
  onEvent: ((event: ServerEvent) => void) | undefined,
  logger: Logger,
): (event: ServerEvent) => void {
  return (event) => {
    logTrouble(event, logger);
    try {
      onEvent?.(event);
    } catch (error) {
      logger.error(`A spectator of the run failed: ${messageOf(error)}`);
    }
  };
}

function logTrouble(event: ServerEvent, logger: Logger): void {
  if (event.kind === "client_failed") {
    const after = event.retried ? "its work goes to an idle process" : "it is left out";
    logger.warn(
      `Client ${event.client} failed in round ${event.round} [${event.code}], ${after}: ${event.message}`,
    );
  } else if (event.kind === "given_up") {
    logger.warn(`Client ${event.client} is given up in round ${event.round}: ${event.reason}`);
  }
}
