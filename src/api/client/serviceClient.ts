import type { ZodType } from "zod";
import { ElenchusError, ERROR_CATALOGUE, type ErrorCode, messageOf } from "../../base/index.js";
import { outcomeSchema } from "../datasetDefinitions.js";
import { errorObjectSchema } from "../errorObject.js";
import type { StoredFile } from "../files.js";
import type { Route, RouteInput, RouteReply } from "../route.js";
import { batchRoutes } from "../routes/batchRoutes.js";
import { readEvents, type ServerEvent } from "./serverEvents.js";

/** Where the service is, and what it is asked with. */
export interface ServiceClientOptions {
  /** For example `http://127.0.0.1:8321`. */
  readonly url: string;
  readonly token?: string | undefined;
  /** How long one request may take, in milliseconds. Default 60,000. */
  readonly timeout?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** What may be said about one request. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's, in milliseconds. */
  readonly timeout?: number | undefined;
}

const DEFAULT_TIMEOUT = 60_000;
/** Of a reply that is no error document, what is shown. */
const SHOWN = 200;

/**
 * Asks the HTTP service. Replies are checked against the route's schema.
 * @throws every method: SERVICE_UNREACHABLE; SERVICE_INVALID for a reply that is none; what the service says is wrong,
 *   with its own code
 */
export class ServiceClient {
  readonly #options: ServiceClientOptions;
  readonly #base: string;

  /** @throws USAGE for an address that is none */
  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#base = baseOf(options.url);
  }

  async call<R extends Route<string, ZodType, ZodType, ZodType>>(
    route: R,
    input: RouteInput<R>,
    options: CallOptions = {},
  ): Promise<RouteReply<R>> {
    return await this.#reply(route, input as unknown as Asked, options);
  }

  /** Uploads a file; its id may then stand in requests. */
  async upload(
    file: { readonly name: string; readonly content: Blob; readonly purpose: StoredFile["purpose"] },
    options: CallOptions = {},
  ): Promise<StoredFile> {
    const body = new FormData();
    // First, so that the service knows it when the file comes.
    body.set("purpose", file.purpose);
    body.set("file", file.content, file.name);
    return await this.#reply(batchRoutes.createFile, { body }, options);
  }

  async #reply<R extends Route<string, ZodType, ZodType, ZodType>>(
    route: R,
    input: Asked,
    options: CallOptions,
  ): Promise<RouteReply<R>> {
    const response = await this.#ask(route, input, options);
    const text = await this.#reading(response.text());
    if (route.reply === undefined) return undefined as RouteReply<R>;
    const parsed = route.reply.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data as RouteReply<R>;
    const [issue] = parsed.error.issues;
    throw this.#invalid(route.path, `${issue?.path.join(".") || "the whole"}: ${issue?.message}`);
  }

  /**
   * The events of a route that sends them, as they come.
   * @param options `timeout` is how long the beginning may take, and how long nothing may come
   */
  async *events<R extends Route<string, ZodType, ZodType, ZodType>>(
    route: R,
    input: RouteInput<R>,
    options: CallOptions = {},
  ): AsyncGenerator<ServerEvent, void, void> {
    const silence = new AbortController();
    const wait = options.timeout ?? this.#options.timeout ?? DEFAULT_TIMEOUT;
    const timer = setTimeout(() => silence.abort(), wait);
    try {
      const signal = options.signal ? AbortSignal.any([options.signal, silence.signal]) : silence.signal;
      const response = await this.#ask(route, input as unknown as Asked, { signal, timeout: 0 });
      if (response.body === null) throw this.#invalid(route.path, "no events");
      for await (const event of readEvents(response.body, () => timer.refresh())) yield event;
    } catch (error) {
      if (silence.signal.aborted) throw this.#unreachable(`nothing came for ${wait / 1000} s`, error);
      if (error instanceof ElenchusError || options.signal?.aborted) throw error;
      throw this.#unreachable(messageOf(error), error);
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  async #ask(route: Route, input: Asked, { signal, timeout }: CallOptions): Promise<Response> {
    const { token, fetch: ask = fetch } = this.#options;
    const limit = timeout ?? this.#options.timeout ?? DEFAULT_TIMEOUT;
    const deadline = limit > 0 ? AbortSignal.timeout(limit) : undefined;
    const signals = [signal, deadline].filter((one) => one !== undefined);
    let response: Response;
    try {
      response = await ask(`${this.#base}${addressOf(route.path, input)}`, {
        method: route.method,
        // Followed, a redirect could take the token to another host.
        redirect: "manual",
        signal: AbortSignal.any(signals),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(input.body === undefined || input.body instanceof FormData
            ? {}
            : { "content-type": "application/json" }),
        },
        ...(input.body !== undefined && {
          body: input.body instanceof FormData ? input.body : JSON.stringify(input.body),
        }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (deadline?.aborted) throw this.#unreachable(`no reply within ${limit / 1000} s`, error);
      throw this.#unreachable(causeOf(error), error);
    }
    if (response.ok) return response;
    throw this.#refusal(response.status, await this.#reading(response.text()));
  }

  /** What the service says is wrong, with its code. */
  #refusal(status: number, text: string): ElenchusError {
    const document = jsonOf(text);
    const facts =
      errorObjectSchema.safeParse(document).data?.error ?? outcomeSchema.safeParse(document).data?.error;
    if (facts === undefined || facts === null) {
      const said = text.trim().slice(0, SHOWN);
      const shown = said === "" ? "" : `: ${JSON.stringify(said)}`;
      return new ElenchusError(
        "SERVICE_INVALID",
        `${this.#base} answers with ${status}${shown}. Expected an Elenchus service; check the address.`,
        { details: { status } },
      );
    }
    const code = Object.hasOwn(ERROR_CATALOGUE, facts.code) ? (facts.code as ErrorCode) : "SERVICE_INVALID";
    return new ElenchusError(code, facts.message, { details: { status, reply: document } });
  }

  async #reading(text: Promise<string>): Promise<string> {
    try {
      return await text;
    } catch (error) {
      throw this.#unreachable(`the reply broke off: ${messageOf(error)}`, error);
    }
  }

  #unreachable(why: string, cause: unknown): ElenchusError {
    return new ElenchusError(
      "SERVICE_UNREACHABLE",
      `The service at ${this.#base} cannot be asked: ${why}. Start it with \`elenchus serve\`, or name another with --server.`,
      { cause },
    );
  }

  #invalid(path: string, fault: string): ElenchusError {
    return new ElenchusError(
      "SERVICE_INVALID",
      `The reply of ${this.#base}${path} is none: ${fault}. Are service and client of the same version?`,
    );
  }
}

/** What is asked, whatever the route. */
interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^https?:$/.test(parsed.protocol)) return url.replace(/\/+$/, "");
  throw new ElenchusError(
    "USAGE",
    `${JSON.stringify(url)} is no address of a service: expected one like http://127.0.0.1:8321.`,
  );
}

function addressOf(path: string, { params = {}, query = {} }: Asked): string {
  const whole = path.replace(/\{(\w+)(:path)?\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const entries = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, String(value)] as [string, string]],
  );
  return entries.length === 0 ? whole : `${whole}?${new URLSearchParams(entries)}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
