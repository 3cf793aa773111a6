import { ElenchusError } from "../base/index.js";

/** The error of a processed payload that no sender of ours wrote. */
export function malformed(what: string): ElenchusError {
  return new ElenchusError("PAYLOAD_INVALID", `The processed payload cannot be undone: ${what}.`);
}
