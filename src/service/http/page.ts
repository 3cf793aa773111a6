import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ElenchusError } from "../../base/index.js";

/** Where a build puts the page, seen from `dist/service/http` and from `src/service/http`. */
const FOLDERS = ["../../page", "../../../dist/page"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/**
 * Serves the page at `/`, where it has been built: its files hold no data and are open. What it shows stands behind
 * the `#` of its address, which no service sees.
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
  app.setNotFoundHandler(async (request) => {
    throw new ElenchusError(
      "NOT_FOUND",
      `There is no ${request.method} ${request.url.split("?")[0]}. \`/docs\` shows what there is.`,
    );
  });
}

function isPage(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}
