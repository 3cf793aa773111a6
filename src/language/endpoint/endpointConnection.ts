import { setTimeout as sleep } from "node:timers/promises";
import {
  afterFailure,
  type Clock,
  ElenchusError,
  type Logger,
  messageOf,
  PassingFailure,
  silentLogger,
  systemClock,
} from "../../base/index.js";
import { type Answer, endpointPost, type Post } from "./endpointPost.js";
import { type EndpointEnvironment, type EndpointSettings, requireSettings } from "./endpointSettings.js";
import { readEvents } from "./eventStream.js";
import { responseBytes, wholeText } from "./responseBody.js";
import { retryAfter } from "./retryAfter.js";

const DEFAULT_ATTEMPTS = 5;
const DEFAULT_FIRST_PAUSE = 1_000;
const DEFAULT_LONGEST_PAUSE = 60_000;
const DEFAULT_TIMEOUT = 120_000;
const DEFAULT_CONCURRENCY = 4;

/** Sends requests to one server: not too many at a time nor too fast, and again what may pass. */
export class EndpointConnection {
  readonly #settings: EndpointSettings;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #send: Post;
  /** When the next request may begin, on the clock that never goes back. */
  #nextStart = 0;

  constructor(
    settings: EndpointSettings,
    { clock = systemClock, logger = silentLogger }: EndpointEnvironment = {},
  ) {
    requireSettings(settings);
    this.#settings = settings;
    this.#send = endpointPost(settings.lookup);
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Does `work` for all items, a few at a time; results are in their order. The first error stops the rest. */
  async each<Item, Result>(
    items: readonly Item[],
    signal: AbortSignal | undefined,
    work: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    let next = 0;
    const worker = async () => {
      while (next < items.length) {
        either.throwIfAborted();
        const index = next++;
        results[index] = await work(items[index]!, index, either);
      }
    };
    const count = Math.min(items.length, this.#settings.concurrency ?? DEFAULT_CONCURRENCY);
    signal?.throwIfAborted();
    const workers = Array.from({ length: count }, () =>
      worker().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    const outcomes = await Promise.allSettled(workers);
    // The error that stopped the others is the reason of the signal.
    if (outcomes.some(({ status }) => status === "rejected")) throw either.reason;
    return results;
  }

  /**
   * Posts a JSON document and gives back the one that is answered.
   * @throws ENDPOINT_REFUSED, ENDPOINT_UNREACHABLE, ENDPOINT_INVALID; CAPABILITY_MISSING for what the server does
   *   not have
   */
  async post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    return await this.#again(path, signal, () =>
      this.#attempt(path, { body, signal, streams: false }, async (_, bytes) =>
        this.#json(path, await wholeText(bytes)),
      ),
    );
  }

  /**
   * Posts a JSON document, and has the parts of the answer read as they come: server-sent events, or the whole
   * answer as one part where the server does not send events.
   * @param read gets the parts of one attempt, and says what they make together, undefined if they broke off; what
   *   breaks off is asked for again
   * @throws as `post`
   */
  async stream<Result>(
    path: string,
    body: unknown,
    signal: AbortSignal,
    read: (parts: AsyncIterable<unknown>) => Promise<Result | undefined>,
  ): Promise<Result> {
    return await this.#again(path, signal, () =>
      this.#attempt(path, { body, signal, streams: true }, async (response, bytes) => {
        const result = await read(this.#parts(path, response, bytes));
        if (result === undefined) throw new PassingFailure("the answer broke off");
        return result;
      }),
    );
  }

  async *#parts(path: string, response: Answer, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
    if (!response.header("content-type")?.startsWith("text/event-stream")) {
      yield this.#json(path, await wholeText(bytes));
      return;
    }
    for await (const data of readEvents(bytes)) {
      if (data === "[DONE]") return;
      yield this.#json(path, data);
    }
  }

  /** Attempts until one succeeds, or fails for good. */
  async #again<Result>(path: string, signal: AbortSignal, attempted: () => Promise<Result>): Promise<Result> {
    const {
      attempts = DEFAULT_ATTEMPTS,
      firstPause = DEFAULT_FIRST_PAUSE,
      longestPause = DEFAULT_LONGEST_PAUSE,
    } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      await this.#turn(signal);
      try {
        return await attempted();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof PassingFailure)) throw error;
        const next = afterFailure(error, attempt, { attempts, firstPause, longestPause });
        if (!next.again) {
          throw new ElenchusError(
            "ENDPOINT_UNREACHABLE",
            `${this.#where(path)} failed ${attempt} time(s): ${error.message}.${next.asked} Try again later, or ask for less at a time.`,
            { cause: error },
          );
        }
        this.#logger.debug(`${this.#where(path)}: ${error.message}; once more in ${next.pause / 1000} s`);
        await pauseFor(next.pause, signal);
      }
    }
  }

  /** Waits until one more request may begin. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { requestsPerMinute } = this.#settings;
    if (requestsPerMinute === undefined) return;
    const now = this.#clock.monotonic();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + 60_000 / requestsPerMinute;
    if (start > now) await pauseFor(start - now, signal);
  }

  /**
   * @param streams whether the time allowed begins anew with every piece of the answer
   * @param read what it throws itself is no failure of the connection
   */
  async #attempt<Result>(
    path: string,
    { body, signal, streams }: { body: unknown; signal: AbortSignal; streams: boolean },
    read: (response: Answer, bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Result> {
    const { url, key, timeout = DEFAULT_TIMEOUT } = this.#settings;
    const silent = new AbortController();
    const deadline = setTimeout(() => silent.abort(), timeout);
    const failed = (error: unknown) => {
      const reason = silent.signal.aborted ? `no answer within ${timeout / 1000} s` : causeOf(error);
      return new PassingFailure(reason, undefined, { cause: error });
    };
    let response: Answer | undefined;
    try {
      response = await this.#send(addressOf(url, path), {
        signal: AbortSignal.any([signal, silent.signal]),
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
      }).catch((error: unknown) => {
        // An address that may not be asked is refused for good.
        throw error instanceof ElenchusError && error.code === "ADDRESS_REFUSED" ? error : failed(error);
      });
      const heard = () => {
        if (streams) deadline.refresh();
      };
      const bytes = responseBytes(response, { heard, failed });
      if (response.status < 200 || response.status > 299)
        throw this.#failure(path, response, await wholeText(bytes));
      return await read(response, bytes);
    } finally {
      clearTimeout(deadline);
      response?.leave();
    }
  }

  #json(path: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ElenchusError(
        "ENDPOINT_INVALID",
        `${this.#where(path)} answered something that is no JSON: ${JSON.stringify(this.#withoutKey(text).slice(0, 80))}.`,
        { cause: error },
      );
    }
  }

  #failure(path: string, response: Answer, text: string): Error {
    const { status } = response;
    if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) {
      return new PassingFailure(
        `the server answered ${status}`,
        retryAfter(response.header("retry-after"), this.#clock.now()),
      );
    }
    const shown = this.#withoutKey(text.trim()).slice(0, 300);
    const said = shown === "" ? "" : ` It says: ${JSON.stringify(shown)}.`;
    if (status === 404 || status === 405 || status === 501) {
      return new ElenchusError(
        "CAPABILITY_MISSING",
        `${this.#where(path)} is not there (${status}).${said} Check address and model, or ask what this server can answer.`,
        { details: { status } },
      );
    }
    const mend =
      status === 401 || status === 403
        ? "Check that the environment has the key for it."
        : "Check the address, the model and the settings.";
    return new ElenchusError(
      "ENDPOINT_REFUSED",
      `${this.#where(path)} refuses the request (${status}).${said} ${mend}`,
      { details: { status } },
    );
  }

  /** Some servers repeat the key that they refuse. */
  #withoutKey(text: string): string {
    const { key } = this.#settings;
    return key ? text.replaceAll(key, "...") : text;
  }

  #where(path: string): string {
    const { host, pathname } = new URL(addressOf(this.#settings.url, path));
    return `The endpoint ${host}${pathname}`;
  }
}

function addressOf(url: string, path: string): string {
  return `${url.replace(/\/+$/, "")}${path}`;
}

async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
