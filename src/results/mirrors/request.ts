import { z } from "zod";
import { messageOf } from "../../base/index.js";

/** Milliseconds for one request. */
const PATIENCE = 10_000;

/** Asks a server for JSON. */
export interface JsonRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; absent: GET. */
  readonly body?: unknown;
}

/**
 * One request and its answer, read by a schema.
 * @throws Error with the status and the beginning of the answer, or with the server and why it does not answer in time;
 *   the schema's error
 */
export async function askJson<T>({ url, headers, body }: JsonRequest, answer: z.ZodType<T>): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE),
  }).catch((error: unknown) => {
    // What went wrong is in the cause; the error itself says that something did.
    const { cause = error } = error as { cause?: unknown };
    throw new Error(`${new URL(url).origin} does not answer (${messageOf(cause)})`, { cause: error });
  });
  const text = await response.text();
  if (!response.ok)
    throw new StatusError(response.status, `it answered ${response.status}: ${text.slice(0, 200)}`);
  return answer.parse(text === "" ? {} : JSON.parse(text));
}

/** An answer that is a refusal. */
export class StatusError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Where the answer does not matter. */
export const anything = z.unknown();
