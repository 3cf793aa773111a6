import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ElenchusError, isLoopback } from "../../base/index.js";
import { type AccessTokens, allows, LOCAL_PRINCIPAL, type Principal } from "../access/accessTokens.js";
import { hostOf } from "../access/hostOf.js";
import "./fastifyTypes.js";

/**
 * Lets only those in who may: finds out who asks, counts their requests, then asks for the scope of the route. A route
 * without a scope that is not declared open lets nobody in.
 */
export async function guard(app: FastifyInstance, tokens: AccessTokens): Promise<void> {
  app.decorateRequest("principal", null);
  app.addHook("onRequest", async (request) => {
    request.principal = whoAsks(request, tokens);
  });
  if (app.limits.rate_limit > 0) {
    await app.register(rateLimit, {
      max: app.limits.rate_limit,
      timeWindow: 60_000,
      cache: 10_000,
      keyGenerator: ({ principal, ip }) => (principal ? `token ${principal.name}` : `address ${ip}`),
      allowList: ({ routeOptions }) => routeOptions.config.open === true,
      errorResponseBuilder: (_, { max, after }) =>
        new ElenchusError(
          "RATE_LIMITED",
          `More than ${max} requests within a minute (service.rate_limit). Try again in ${after}.`,
        ),
    });
  }
  // Behind the counting, so that guesses are counted too, and before a body is read.
  app.addHook("preParsing", async (request) => {
    const { scope, open } = request.routeOptions.config;
    if (request.is404 || open) return;
    if (request.principal === null) throw unknown(request);
    if (scope !== undefined && allows(request.principal, scope)) return;
    throw new ElenchusError(
      "PERMISSION_DENIED",
      `The token "${request.principal.name}" does not have the scope "${scope ?? "admin"}". Ask with another, or add the scope to it in service.tokens.`,
    );
  });
}

function whoAsks(request: FastifyRequest, tokens: AccessTokens): Principal | null {
  if (tokens.size === 0) {
    requireThisMachine(request);
    return LOCAL_PRINCIPAL;
  }
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? [];
  return (token === undefined ? undefined : tokens.find(token)) ?? null;
}

/**
 * Without tokens whoever reaches the service may ask, so a web page must not reach it through the browser of someone
 * on this machine: neither under a name of its own that it lets point here, nor from another origin.
 */
function requireThisMachine({ headers, ip }: FastifyRequest): void {
  const host = hostOf(headers.host ?? "");
  const origin = headers.origin;
  const foreign = origin !== undefined && hostOf(origin) !== host;
  const site = headers["sec-fetch-site"];
  const crossed = site === "cross-site" || site === "same-site";
  if (isLoopback(ip) && isLoopback(host) && !foreign && !crossed) return;
  throw new ElenchusError(
    "PERMISSION_DENIED",
    "A service without tokens answers only requests that come from this machine, under its own name, and from no other web page. Give it service.tokens.",
  );
}

function unknown({ headers }: FastifyRequest): ElenchusError {
  const found = headers.authorization === undefined ? "has no token" : "has a token that is not known";
  return new ElenchusError(
    "UNAUTHENTICATED",
    `The request ${found}. Send one of service.tokens as "Authorization: Bearer TOKEN"; the command line takes it from ELENCHUS_TOKEN.`,
  );
}
