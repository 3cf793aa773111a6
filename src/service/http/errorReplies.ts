import type { FastifyInstance } from "fastify";
import { type Logger, messageOf } from "../../base/index.js";
import { replyErrorOf } from "./replyError.js";

/** Every error leaves in one shape; where a route says so, as `{ status: "fail", msg, error }`. */
export function addErrorReplies(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((thrown, request, reply) => {
    const { status, facts } = replyErrorOf(thrown);
    if (facts.code === "INTERNAL") {
      const stack = thrown instanceof Error ? thrown.stack : undefined;
      logger.error(
        `${request.method} ${request.routeOptions.url ?? "?"} failed: ${stack ?? messageOf(thrown)}`,
      );
    }
    if (status === 401) reply.header("www-authenticate", "Bearer");
    const { code, message, faults } = facts;
    if (!request.routeOptions.config.outcomes) return reply.code(status).send({ error: facts });
    return reply
      .code(status)
      .send({ status: "fail", msg: message, error: { code, message, ...(faults && { faults }) } });
  });
}
