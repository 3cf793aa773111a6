import { ERROR_CATALOGUE, type ErrorCode, messageOf } from "../base/index.js";

/** Longest message that is kept of what an evaluator threw; it goes into files and over the wire. */
const LONGEST = 2000;

/** The message of anything an evaluator threw. Never throws itself, whatever getters the value has. */
export function describeThrown(thrown: unknown): string {
  try {
    const message: unknown = messageOf(thrown);
    const text = typeof message === "string" ? message : String(message);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
  } catch {
    return "a thrown value that cannot be shown";
  }
}

/** The catalogue code of a thrown error of the product, of any copy of it; `fallback` for all else. */
export function codeOf(thrown: unknown, fallback: ErrorCode): ErrorCode {
  try {
    const { name, code } = thrown as { name: unknown; code: unknown };
    if (name === "ElenchusError" && typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code)) {
      return code as ErrorCode;
    }
  } catch {
    // A getter threw, or nothing was thrown at all.
  }
  return fallback;
}
