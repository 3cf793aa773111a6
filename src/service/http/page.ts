import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ElenchusError } from "../../base/index.js";

/** Where a build puts the page, seen from `dist/service/http` and from `src/service/http`. */
const FOLDERS = ["../../page", "../../../dist/page"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** First parts of addresses that belong to programs; what is unknown below them is an error, not the page. */
const PROGRAMS = /^\/(?:api|v1|v1alpha|v1beta|assets|datasets|evals|docs|healthz)(?:\/|$|\?)/;

/**
 * Serves the page, where it has been built: its files hold no data and are open, and every address that no program
 * asks for is the page itself, which finds out what to show.
 */
export async function addPage(
  app: FastifyInstance,
  folder = FOLDERS.find((one) => isPage(one)),
): Promise<void> {
  if (folder !== undefined && isPage(folder)) {
    await app.register(async (inner) => {
      inner.addHook("onRoute", (route) => {
        route.config = { ...route.config, open: true };
        route.schema = { ...route.schema, hide: true };
      });
      // Files with a digest in their names never change.
      inner.addHook("onSend", async (request, reply) => {
        const lasting = /^\/assets\//.test(request.url);
        reply.header("cache-control", lasting ? "public, max-age=31536000, immutable" : "no-cache");
      });
      await inner.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: "index.html",
        cacheControl: false,
      });
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const asksForPage = request.method === "GET" && !PROGRAMS.test(request.url);
    if (asksForPage && folder !== undefined && isPage(folder) && acceptsPage(request.headers.accept)) {
      return reply
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(await readFile(join(folder, "index.html")));
    }
    throw new ElenchusError(
      "NOT_FOUND",
      `There is no ${request.method} ${request.url.split("?")[0]}. \`/docs\` shows what there is.`,
    );
  });
}

function isPage(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}

function acceptsPage(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|\*\/\*/.test(accept);
}
