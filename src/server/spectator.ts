import { type Logger, messageOf, sentence } from "../base/index.js";
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
      logger.error(`A spectator of the run failed: ${sentence(messageOf(error))}`);
    }
  };
}

function logTrouble(event: ServerEvent, logger: Logger): void {
  // A failure that is not retried is told with what follows from it.
  if (event.kind === "client_failed" && event.retried) {
    const { client, round, code, message } = event;
    logger.warn(
      `Client ${client} failed in round ${round}, its work goes to an idle process: [${code}] ${sentence(message)}`,
    );
  } else if (event.kind === "given_up") {
    logger.warn(`Client ${event.client} is given up in round ${event.round}: ${sentence(event.reason)}`);
  }
}
