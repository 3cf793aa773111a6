import type { ZodType, z } from "zod";

/** What a token must allow for a route. */
export type RouteScope = "read" | "write" | "run" | "infer";

/** A route, told once for the service that answers it and for the client that asks it. */
export interface Route<
  Path extends string = string,
  Query extends ZodType = ZodType,
  Body extends ZodType = ZodType,
  Reply extends ZodType = ZodType,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** With `{name}` for a part of the path and `{name:path}` for all that follows. */
  readonly path: Path;
  /** Older and newer addresses of the same route, which other clients use. */
  readonly aliases?: readonly string[];
  readonly scope: RouteScope;
  readonly summary: string;
  readonly group: string;
  readonly query?: Query;
  readonly body?: Body;
  /** Absent: 204, nothing. */
  readonly reply?: Reply;
  /** What it replies instead of JSON. */
  readonly media?: "text/event-stream" | "application/octet-stream";
  /** The body is a form with a file. */
  readonly upload?: true;
}

/** The parts of a path by name. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name extends `${infer Bare}:path` ? Bare : Name]: string } & PathParams<Rest>
  : unknown;

/** Keeps the types of a route's path and schemas. */
export function route<
  const Path extends string,
  Query extends ZodType = ZodType<undefined>,
  Body extends ZodType = ZodType<undefined>,
  Reply extends ZodType = ZodType<undefined>,
>(definition: Route<Path, Query, Body, Reply>): Route<Path, Query, Body, Reply> {
  return definition;
}

/** What a client gives of a route's query and body, before defaults. */
export type RouteInput<R> =
  R extends Route<infer Path, infer Query, infer Body, ZodType>
    ? Given<"params", PathParams<Path>> & Given<"query", z.input<Query>> & Given<"body", z.input<Body>>
    : never;

/** What a route replies. */
export type RouteReply<R> = R extends { reply?: infer Reply }
  ? Exclude<Reply, undefined> extends ZodType
    ? z.output<Exclude<Reply, undefined>>
    : undefined
  : undefined;

/** Nothing to give: may be left out. All optional: too. */
type Given<Name extends string, T> = unknown extends T
  ? { readonly [N in Name]?: undefined }
  : [T] extends [undefined]
    ? { readonly [N in Name]?: undefined }
    : Record<string, never> extends T
      ? { readonly [N in Name]?: T }
      : { readonly [N in Name]: T };
