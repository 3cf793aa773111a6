import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { runsFromSource } from "../program.js";

/** Starts a thread from one of our own entry files, from the sources too. */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  if (!runsFromSource()) return new Worker(entry, options);
  // Threads do not heed a loader named on the command line before they look at their entry file.
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")).href.replace(
    /\.cjs$/,
    ".mjs",
  );
  const code = `import("${loader}").then(({ register }) => (register(), import("${entry.href}")));`;
  return new Worker(code, { ...options, eval: true });
}
