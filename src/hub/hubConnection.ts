import { setTimeout as sleep } from "node:timers/promises";
import { afterFailure, ElenchusError, messageOf, PassingFailure } from "../base/index.js";
import type { HubEnvironment } from "./hubRequest.js";

export type HubConnection = HubEnvironment;

/** An answer to be read, with what the answers on the way to it said. */
export interface HubResponse {
  readonly response: Response;
  /** Headers of the first answer before those of the last one: the hub itself says more than its storage. */
  header(name: string): string | undefined;
  /** Cuts the connection. */
  abort(): void;
}

export const DEFAULT_ATTEMPTS = 5;
const DEFAULT_FIRST_PAUSE = 1_000;
const DEFAULT_LONGEST_PAUSE = 60_000;
const DEFAULT_STALL_DEADLINE = 30_000;
const MOST_REDIRECTS = 10;
/** A list of files with a million names stays below. */
const LONGEST_TEXT = 256 * 2 ** 20;

export function stallDeadline({ settings }: HubConnection): number {
  return settings.stallDeadline ?? DEFAULT_STALL_DEADLINE;
}

/**
 * Does `attempt` until it succeeds, a failure does not pass, or too many in a row came no further. Pauses double;
 * a `Retry-After` counts instead.
 * @param progressed what changes when an attempt came further
 * @throws HUB_UNREACHABLE
 */
export async function withAttempts<T>(
  connection: HubConnection,
  what: string,
  attempt: () => Promise<T>,
  progressed: () => unknown = () => undefined,
): Promise<T> {
  const { settings, logger, signal } = connection;
  const limits = {
    attempts: settings.attempts ?? DEFAULT_ATTEMPTS,
    firstPause: settings.firstPause ?? DEFAULT_FIRST_PAUSE,
    longestPause: settings.longestPause ?? DEFAULT_LONGEST_PAUSE,
  };
  for (let failures = 0; ; ) {
    const before = progressed();
    try {
      return await attempt();
    } catch (error) {
      throwIfStopped(signal);
      if (!(error instanceof PassingFailure)) throw error;
      failures = progressed() === before ? failures + 1 : 1;
      const next = afterFailure(error, failures, limits);
      if (!next.again) {
        throw new ElenchusError(
          "HUB_UNREACHABLE",
          `Fetching ${what} failed ${timesText(failures)}: ${error.message}.${next.asked} Try again later${connection.plain === true ? "" : ", or set HF_HUB_OFFLINE=1 to use what is in the cache"}.`,
          { cause: error, details: { attempts: failures } },
        );
      }
      logger.debug(`${what}: ${error.message}; once more in ${next.pause / 1000} s`);
      await sleep(next.pause, undefined, { signal }).catch(() => throwIfStopped(signal));
    }
  }
}

/** How often something happened, in words. */
export function timesText(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/**
 * Sends one request and follows redirects. The token goes to the endpoint's own host only, and none of it to an
 * address without encryption that an encrypted one points to.
 * @throws HUB_REFUSED, HUB_NOT_FOUND; PassingFailure for what may pass
 */
export async function request(
  connection: HubConnection,
  address: string,
  what: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HubResponse> {
  const { settings, signal, fetch: send = fetch } = connection;
  const controller = new AbortController();
  const abort = () => {
    signal?.removeEventListener("abort", abort);
    controller.abort();
  };
  signal?.addEventListener("abort", abort);
  const home = new URL(settings.endpoint).origin;
  const passed: Headers[] = [];
  let url = new URL(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const authorization: Record<string, string> =
      settings.token !== undefined && url.origin === home
        ? { authorization: `Bearer ${settings.token}` }
        : {};
    const timer = setTimeout(abort, stallDeadline(connection));
    let response: Response;
    try {
      response = await send(url, {
        redirect: "manual",
        signal: controller.signal,
        headers: { "user-agent": "elenchus", "accept-encoding": "identity", ...headers, ...authorization },
      });
    } catch (error) {
      throwIfStopped(signal);
      const reason = controller.signal.aborted ? "no answer before the deadline" : causeOf(error);
      throw new PassingFailure(`${url.host}: ${reason}`, undefined, { cause: error });
    } finally {
      clearTimeout(timer);
    }
    passed.push(response.headers);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || response.status === 304 || location === null) {
      if (!response.ok && response.status !== 416) {
        leave(response);
        throw failureOf(response, what, connection);
      }
      const header = (name: string) =>
        passed.map((each) => each.get(name)).find((value) => value !== null) ?? undefined;
      return { response, header, abort };
    }
    leave(response);
    url = redirectTarget(location, url, what);
  }
  throw new ElenchusError("HUB_INVALID", `${what}: more than ${MOST_REDIRECTS} redirects from ${address}.`);
}

/** Fetches a text. @throws as `request`, and HUB_UNREACHABLE */
export async function fetchText(connection: HubConnection, address: string, what: string): Promise<string> {
  return withAttempts(connection, what, async () => {
    const answer = await request(connection, address, what);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of readBody(connection, answer)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > LONGEST_TEXT) {
        answer.abort();
        throw new ElenchusError("HUB_INVALID", `${what}: the answer is longer than ${LONGEST_TEXT} bytes.`);
      }
    }
    return Buffer.concat(chunks).toString("utf8");
  });
}

/** The body as it comes. @throws PassingFailure when it is cut or nothing comes before the stall deadline */
export async function* readBody(connection: HubConnection, answer: HubResponse): AsyncGenerator<Uint8Array> {
  const limit = stallDeadline(connection);
  const reader = answer.response.body?.getReader();
  if (reader === undefined) return;
  let stalled = false;
  try {
    for (;;) {
      const timer = setTimeout(() => {
        stalled = true;
        answer.abort();
      }, limit);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } catch (error) {
    throwIfStopped(connection.signal);
    if (error instanceof ElenchusError || error instanceof PassingFailure) throw error;
    const reason = stalled
      ? `nothing came for ${limit / 1000} s`
      : `the transfer was cut (${causeOf(error)})`;
    throw new PassingFailure(reason, undefined, { cause: error });
  } finally {
    answer.abort();
  }
}

/** Gives a body up that nobody reads. Not waited for: it can take for ever. */
function leave(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function redirectTarget(location: string, from: URL, what: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const allowed = from.protocol === "https:" ? ["https:"] : ["https:", "http:"];
  if (target !== undefined && allowed.includes(target.protocol)) return target;
  throw new ElenchusError(
    "HUB_INVALID",
    `${what}: ${from.host} redirects to ${JSON.stringify(location.slice(0, 200))}. Expected an address of ${allowed.join(" or ")}`,
  );
}

function failureOf(response: Response, what: string, connection: HubConnection): Error {
  const { settings, clock, plain } = connection;
  const { status } = response;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const server = plain === true ? "server" : "hub";
    return new PassingFailure(`the ${server} answered ${status}`, retryAfter(response, clock.now()));
  }
  if (plain === true) {
    const code = status === 404 || status === 410 ? "HUB_NOT_FOUND" : "HUB_REFUSED";
    return new ElenchusError(code, `The server answered ${status} to ${what}.`, { details: { status } });
  }
  const token =
    settings.token === undefined
      ? "set HF_TOKEN to a token that may read it"
      : "check that HF_TOKEN may read it";
  if (status === 401 || status === 403) {
    return new ElenchusError(
      "HUB_REFUSED",
      `The hub refuses ${what} (${status}). It is private, gated or does not exist: check the name, ${token}, and accept its conditions on the hub's page.`,
      { details: { status } },
    );
  }
  if (status === 404 || status === 410) {
    return new ElenchusError(
      "HUB_NOT_FOUND",
      `The hub has no ${what} (${status}). Check name, revision and spelling, or ${token}.`,
      { details: { status } },
    );
  }
  return new ElenchusError(
    "HUB_INVALID",
    `The hub answered ${status} to ${what}. Expected the file; check HF_ENDPOINT.`,
    {
      details: { status },
    },
  );
}

/** `Retry-After` in milliseconds: seconds or a date. */
function retryAfter(response: Response, now: number): number | undefined {
  const value = response.headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new ElenchusError("INTERRUPTED", "The download was stopped; what is there of it is kept.");
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
