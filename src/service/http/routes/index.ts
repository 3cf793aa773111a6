import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../serviceContext.js";
import { addRunRoutes } from "./runs.js";

/** All groups of routes. */
export function addRoutes(app: FastifyInstance, context: ServiceContext): void {
  addRunRoutes(app, context);
}
