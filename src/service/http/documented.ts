import type { FastifySchema } from "fastify";
import { type ZodType, z } from "zod";
import { errorObjectSchema, FILE_PURPOSES, type Route } from "../../api/index.js";

/** A route's path as Fastify writes it. */
export function fastifyPath(path: string): string {
  return path.replace(/\{\w+:path\}/g, "*").replace(/\{(\w+)\}/g, ":$1");
}

/**
 * What the document at `/docs` says of a route. Requests are parsed elsewhere, by the same schemas.
 * @param hidden for further addresses of a route
 */
export function documented(route: Route, hidden: boolean): FastifySchema {
  const names = [...route.path.matchAll(/\{(\w+)(?::path)?\}/g)].map(([, name]) => name!);
  const ok = route.reply ?? z.undefined().describe("Done");
  const content =
    route.media === undefined
      ? ok
      : { description: "The content", content: { [route.media]: { schema: z.string() } } };
  return {
    summary: `${route.summary}. Scope: ${route.scope}.`,
    tags: [route.group],
    hide: hidden,
    ...(names.length > 0 && {
      params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    ...(route.upload && { body: UPLOAD, consumes: ["multipart/form-data"] }),
    response: {
      [route.reply === undefined && route.media === undefined ? 204 : 200]: content,
      "4XX": errorObjectSchema,
      "5XX": errorObjectSchema,
    } as Record<string, ZodType>,
  } as FastifySchema;
}

const UPLOAD = z.object({ purpose: z.enum(FILE_PURPOSES), file: z.string().meta({ format: "binary" }) });
