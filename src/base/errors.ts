import { ERROR_CATALOGUE, type ErrorCode } from "./errorCatalogue.js";

/** What an error carries beyond its code and message. */
export interface ElenchusErrorOptions {
  /** The error that led to this one. */
  cause?: unknown;
  /** Facts for machines: file, key, value, names. JSON-able. */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * The one error class of the product. The message says what was found, what was expected and how to
 * mend it; the code is stable and stands in the catalogue, which also gives the exit status.
 */
export class ElenchusError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ElenchusErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ElenchusError";
    this.code = code;
    this.details = options.details ?? {};
  }

  /** An error of another copy of the package is one too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!(value instanceof Error) || value.name !== "ElenchusError") return false;
    return typeof (value as { code?: unknown }).code === "string";
  }

  /** Exit status of a command that ends with this error: 1 the run failed, 2 bad usage or input, 3 a threshold missed. */
  get exitCode(): number {
    return ERROR_CATALOGUE[this.code].exit;
  }
}

/** The message of anything that was thrown, non-errors included. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === "string") return thrown;
  try {
    return `a thrown value that is no Error: ${JSON.stringify(thrown) ?? String(thrown)}`;
  } catch {
    return "a thrown value that is no Error and cannot be shown";
  }
}
