import { ElenchusError } from "../errors.js";

/** How much a row may ask of a thread. */
export interface RowLimits {
  /** Seconds that one row may take. */
  readonly deadline: number;
  /** Most characters in all texts of a row. Default: no limit. */
  readonly maxCharacters?: number | undefined;
  /** What sets these limits, for messages. */
  readonly settings?: { readonly deadline?: string; readonly maxCharacters?: string } | undefined;
}

/** Of a row that was ended. */
export function late({ deadline, settings }: RowLimits): ElenchusError {
  return new ElenchusError(
    "ROW_TIMEOUT",
    `The row took longer than ${deadline} s${within(settings?.deadline)}, and was ended. A pattern that tries without end, or very long texts, may be why.`,
  );
}

/** Of a row that is not sent. */
export function tooLarge({ maxCharacters, settings }: RowLimits): ElenchusError {
  return new ElenchusError(
    "ROW_TOO_LARGE",
    `The texts of the row have more than ${maxCharacters} characters${within(settings?.maxCharacters)}. Shorten them, or leave out columns that no scorer reads.`,
  );
}

/** An error of a thread, as it would have been thrown here. */
export function thrownThere({ code, message }: { code?: string | undefined; message: string }): Error {
  return code === undefined ? new Error(message) : new ElenchusError(code as "INTERNAL", message);
}

/**
 * Whether work cannot be made in a thread and may be in this process: a thread may lack what only code of this process
 * has registered, or be unable to load a module of the user's.
 */
export function isOnlyHere(error: unknown): error is ElenchusError {
  return error instanceof ElenchusError && (error.code === "NAME_UNKNOWN" || error.code === "IMPORT_FAILED");
}

/** Of rows that are handed over too late. */
export function stopped(): ElenchusError {
  return new ElenchusError("INTERRUPTED", "The threads that judge rows were closed.");
}

/** Of work that its thread does not begin. */
export function notStarted(seconds: number): ElenchusError {
  return new ElenchusError("WORKER_TIMEOUT", `A thread has not begun its work within ${seconds} s.`);
}

/** Of the row that a thread had in hand when it died, or of all where it had not begun. */
export function diedAt(why: string): (row: boolean) => ElenchusError {
  return (row) =>
    new ElenchusError(
      "WORKER_DIED",
      row ? `The thread ended while it judged the row: ${why}.` : `A thread ended before it began: ${why}.`,
    );
}

function within(setting: string | undefined): string {
  return setting === undefined ? "" : ` (${setting})`;
}
