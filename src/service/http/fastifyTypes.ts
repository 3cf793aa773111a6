import type { RouteScope } from "../../api/index.js";
import type { ServiceConfig } from "../../config/index.js";
import type { Principal } from "../access/accessTokens.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Aborts when the service stops. */
    stopping: AbortSignal;
    limits: ServiceConfig;
  }
  interface FastifyRequest {
    /** Null for who has no token that is known. */
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** What a token must allow. Absent: nobody may, unless the route is open. */
    scope?: RouteScope;
    /** Answered without a token: what is no secret, and holds no data. */
    open?: true;
    /** Errors are told as `{ status: "fail", msg, error }`. */
    outcomes?: boolean;
  }
}
