/** A failure that may pass: the request is sent again. */
export class PassingFailure extends Error {
  constructor(
    message: string,
    /** Milliseconds that the server asks to wait. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "PassingFailure";
  }
}

/** `Retry-After` in milliseconds: seconds or a date. */
export function retryAfter({ headers }: Response, now: number): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
