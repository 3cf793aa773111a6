import { ElenchusError, messageOf } from "../base/index.js";

/** The error a stopped call rejects with: the signal's reason where that says something, else INTERRUPTED. */
export function interruption(signal: AbortSignal): ElenchusError {
  if (signal.reason instanceof ElenchusError) return signal.reason;
  return new ElenchusError("INTERRUPTED", `The work was stopped: ${messageOf(signal.reason)}.`, {
    cause: signal.reason,
  });
}

/** @throws the interruption once the signal is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interruption(signal);
}
