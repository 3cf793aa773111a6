import multipart from "@fastify/multipart";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { ElenchusError } from "../../base/index.js";
import { addErrorReplies } from "./errorReplies.js";
import "./fastifyTypes.js";
import { guard } from "./guard.js";
import { isNestedTooDeep, MOST_LEVELS } from "./nesting.js";
import { addOpenApi } from "./openApi.js";
import { addPage } from "./page.js";
import { productVersion } from "./productVersion.js";
import { replyErrorOf } from "./replyError.js";
import { addRoutes } from "./routes/index.js";
import { addSecurityHeaders } from "./securityHeaders.js";
import type { ServiceContext } from "./serviceContext.js";

/** Ids may be addresses. */
const LONGEST_PARAM = 2000;
/** Most milliseconds that the headers of a request may take. */
const LONGEST_HEADERS = 60_000;
/** Most milliseconds between two looks for connections that take too long. Node's own is half a minute. */
const LONGEST_CHECK = 5000;

/** What the app needs besides its context. */
export interface AppOptions {
  /** Aborts when the service stops: whatever is under way ends then. */
  readonly stopping?: AbortSignal;
  /** Folder of the built page. Default: where the build puts it. */
  readonly page?: string | undefined;
}

/** The HTTP service as an app that does not listen yet. */
export async function createApp(context: ServiceContext, options: AppOptions = {}): Promise<FastifyInstance> {
  const { service } = context.settings;
  const patience = Math.min(service.request_timeout, 3600) * 1000;
  const app = Fastify({
    logger: false,
    bodyLimit: service.max_body_bytes,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    // A client that is slow to say what it wants holds a connection for so long, not for ever.
    requestTimeout: patience,
    http: {
      headersTimeout: Math.min(patience, LONGEST_HEADERS),
      connectionsCheckingInterval: Math.min(patience, LONGEST_CHECK),
    },
    routerOptions: { maxParamLength: LONGEST_PARAM },
    frameworkErrors: (error, _, reply) => refuseAddress(error, reply as FastifyReply),
    onProtoPoisoning: "error",
    onConstructorPoisoning: "error",
  });
  app.decorate("limits", service);
  app.decorate("stopping", options.stopping ?? new AbortController().signal);
  // Requests are parsed where they are answered.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  acceptEmptyBodies(app);
  addErrorReplies(app, context.logger);
  addSecurityHeaders(app);
  await guard(app, context.tokens);
  await app.register(multipart, {
    limits: { files: 1, fields: 20, parts: 21, fieldSize: 64 * 1024, fileSize: service.max_upload_bytes },
  });
  logRequests(app, context);
  await addOpenApi(app);
  app.get("/healthz", { config: { open: true }, schema: { hide: true } }, async () => ({
    status: "ok",
    version: productVersion(),
  }));
  await app.register(async (inner) => addRoutes(inner, context));
  await addPage(app, options.page);
  return app;
}

/** Clients say that they send JSON also where they send nothing. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else if (isNestedTooDeep(body as string)) done(tooDeep(), undefined);
    else
      parse(request, body as string, (error, value) => done(error && unreadableBody(body as string), value));
  });
}

function tooDeep(): ElenchusError {
  return new ElenchusError(
    "REQUEST_INVALID",
    `The body has lists and objects in each other more than ${MOST_LEVELS} deep. Flatten it, or send it as a text.`,
  );
}

/** Why a body could not be read as JSON. */
function unreadableBody(body: string): ElenchusError {
  try {
    JSON.parse(body);
  } catch {
    return new ElenchusError("REQUEST_INVALID", "The body is not JSON, although its content-type says so.");
  }
  return new ElenchusError(
    "REQUEST_INVALID",
    'The body has a key "__proto__", or "constructor" with "prototype" in it. Requests may not; give the key another name, or upload the rows as a file.',
  );
}

/** What never comes to a route: an address that cannot be decoded. */
function refuseAddress(error: Error, reply: FastifyReply): void {
  const { status, facts } = replyErrorOf(error);
  void reply.code(status).send({ error: facts });
}

/** Which route, by whom, with what outcome: no address with its query, no header, no body. */
function logRequests(app: FastifyInstance, { logger }: ServiceContext): void {
  app.addHook("onResponse", async (request, reply) => {
    const who = request.principal?.name ?? "nobody";
    const route = request.routeOptions.url ?? "(no route)";
    logger.debug(
      `${request.method} ${route} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms, ${who}`,
    );
  });
}
