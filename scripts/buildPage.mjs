// Builds the page from src/page to dist/page. Alone: node scripts/buildPage.mjs
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The page's files refer to each other from where they lie, so that it works below any address. */
export async function buildPage() {
  await build({
    configFile: false,
    root: join(root, "src", "page"),
    base: "./",
    publicDir: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: join(root, "dist", "page"),
      emptyOutDir: true,
      target: "es2023",
      // Script and style stay files of their own: the service allows nothing inline.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Charts come when they are needed; no other part of the page waits for them.
      chunkSizeWarningLimit: 700,
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
