import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodType, z } from "zod";
import type { PathParams, Route, RouteReply } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { Principal } from "../access/accessTokens.js";
import { documented, fastifyPath } from "./documented.js";
import { type EventStream, openEventStream } from "./eventStream.js";
import { parsed } from "./parsed.js";

/** A request to a route, parsed. */
export interface Call<R> {
  readonly params: R extends Route<infer Path, ZodType, ZodType, ZodType> ? PathParams<Path> : never;
  readonly query: R extends { query?: infer Q } ? Output<Q> : undefined;
  readonly body: R extends { body?: infer B } ? Output<B> : undefined;
  readonly principal: Principal;
  /** Aborts when the client goes away, the time is over or the service stops. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Output<S> = Exclude<S, undefined> extends ZodType ? z.output<Exclude<S, undefined>> : undefined;

/** Answers a route at all its addresses; only the first is documented. */
export function answer<R extends Route<string, ZodType, ZodType, ZodType>>(
  app: FastifyInstance,
  route: R,
  handler: (call: Call<R>) => Promise<RouteReply<R> | FastifyReply>,
): void {
  for (const [place, path] of [route.path, ...(route.aliases ?? [])].entries()) {
    app.route({
      method: route.method,
      url: fastifyPath(path),
      schema: documented(route, place > 0),
      config: { scope: route.scope, outcomes: route.group === "tasks" },
      handler: async (request, reply) => {
        const given = await withinTime(request, reply, async (signal) =>
          handler(callOf(route, path, request, reply, signal)),
        );
        if (given === reply) return reply;
        if (route.reply !== undefined) return given;
        return reply.code(204).send();
      },
    });
  }
}

/** Answers a route with events until the handler is done. */
export function answerEvents<R extends Route<string, ZodType, ZodType, ZodType>>(
  app: FastifyInstance,
  route: R,
  handler: (call: Call<R>, open: () => EventStream) => Promise<void>,
): void {
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    schema: documented(route, false),
    config: { scope: route.scope, outcomes: route.group === "tasks" },
    handler: async (request, reply) => {
      const gone = clientGone(request, reply);
      const call = callOf(route, route.path, request, reply, gone);
      let stream: EventStream | undefined;
      const open = () => {
        stream ??= openEventStream(reply, gone);
        return stream;
      };
      try {
        await handler(call, open);
      } catch (error) {
        // Once events have been sent the status is out: an error is one more event.
        if (stream === undefined) throw error;
        if (!gone.aborted) stream.fail(error);
      }
      stream?.end();
      return reply;
    },
  });
}

function callOf<R extends Route>(
  route: R,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): Call<R> {
  return {
    params: paramsOf(path, request.params as Record<string, string>),
    query: route.query && parsed(route.query, request.query, "the query"),
    body: route.body && parsed(route.body, request.body ?? {}, "the body"),
    principal: request.principal!,
    signal,
    request,
    reply,
  } as unknown as Call<R>;
}

/** The wildcard has the name of the part that it stands for. */
function paramsOf(path: string, params: Record<string, string>): Record<string, string> {
  const rest = /\{(\w+):path\}/.exec(path)?.[1];
  const { "*": all, ...named } = params;
  return rest === undefined ? named : { ...named, [rest]: all ?? "" };
}

/** Whatever the handler does with its signal, the answer comes in time. @throws DEADLINE_EXCEEDED, INTERRUPTED */
async function withinTime<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const seconds = request.server.limits.request_timeout;
  const timer = setTimeout(() => {
    late.abort(
      new ElenchusError(
        "DEADLINE_EXCEEDED",
        `The request took longer than ${seconds} s (service.request_timeout). Ask for less at a time, or as a job.`,
      ),
    );
  }, seconds * 1000);
  const signal = AbortSignal.any([late.signal, clientGone(request, reply)]);
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([stopped, work(signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop!);
  }
}

/** Aborts when nobody waits for the answer any more, and when the service stops. */
function clientGone(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) {
      gone.abort(new ElenchusError("INTERRUPTED", "The client has gone away before it had its answer."));
    }
  });
  return AbortSignal.any([gone.signal, request.server.stopping]);
}
