import { ElenchusError } from "../../base/index.js";

/** The error of what a server cannot answer. */
export function missingCapability(what: string): ElenchusError {
  return new ElenchusError("CAPABILITY_MISSING", `The endpoint cannot answer this: ${what}.`);
}
