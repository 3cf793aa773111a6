/** A failure of a request that may pass: it is sent again. */
export class PassingFailure extends Error {
  constructor(
    message: string,
    /** Milliseconds that the other side asks to wait. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "PassingFailure";
  }
}

/** How long a request is sent again; times in milliseconds. */
export interface AttemptLimits {
  /** Failures in a row, the last one included, that end it. */
  readonly attempts: number;
  readonly firstPause: number;
  readonly longestPause: number;
}

/** What follows a failure: another attempt after a pause, or the end and a sentence that says what was asked for. */
export type AfterFailure =
  | { readonly again: true; readonly pause: number }
  | { readonly again: false; readonly asked: string };

/**
 * Pauses double from the first to the longest one; what the other side asks for counts where it is more, and ends
 * it where it is more than the longest.
 * @param failures in a row, this one included
 */
export function afterFailure(failure: PassingFailure, failures: number, limits: AttemptLimits): AfterFailure {
  const { attempts, firstPause, longestPause } = limits;
  const asked = failure.retryAfter ?? 0;
  if (asked > longestPause) return { again: false, asked: ` It asks to wait ${Math.ceil(asked / 1000)} s.` };
  if (failures >= attempts) return { again: false, asked: "" };
  return { again: true, pause: Math.max(asked, Math.min(longestPause, firstPause * 2 ** (failures - 1))) };
}
