import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { withDeadline } from "./deadline.js";
import { ElenchusError, messageOf } from "./errors.js";
import { onePerProcess } from "./registry.js";
import { sentence } from "./sentence.js";

/**
 * A user's modules are loaded in every process of a run. A module may itself call `run()`, the usual case
 * being the program's own main file: in a process that only works for a run, `run()` must not start
 * another one and never settles, so the module counts as loaded as soon as it calls `run()`.
 *
 * The word travels as an event on `process`, which is one per process even where a package is loaded twice.
 */
const RUN_CALLED = "elenchus:run-called";
const WORKER_MARK = "ELENCHUS_WORKER_PROCESS";

/** Marks this process as one that works for a run. The first thing a worker's or client's entry file does. */
export function becomeWorker(): void {
  process.env[WORKER_MARK] = String(process.pid);
}

/** True in a process that works for a run. A child it starts by itself is none. */
export function isWorker(): boolean {
  return process.env[WORKER_MARK] === String(process.pid);
}

/** What `run()` does in a worker: says that the module is loaded, and never settles. */
export function runInWorker(): Promise<never> {
  process.emit(RUN_CALLED as "beforeExit", 0);
  return new Promise<never>(() => {});
}

/**
 * Loads a user's modules one after the other.
 * @param modules paths or file URLs; a relative path is taken from the working folder
 * @param seconds deadline for each module
 * @throws IMPORT_FAILED naming the module and the cause
 */
export async function loadModules(modules: readonly string[], seconds = 60): Promise<void> {
  // Only here: a command without modules need not wait for a compiler.
  if (modules.length > 0) await onePerProcess("module loader", () => import("./moduleLoader.js"));
  for (const module of modules) {
    const url = module.startsWith("file:") ? module : pathToFileURL(resolve(module)).href;
    if (!loadedModules().includes(url)) loadedModules().push(url);
    let onCall: (() => void) | undefined;
    const runCalled = new Promise<void>((settle) => {
      onCall = () => settle();
      process.once(RUN_CALLED as "beforeExit", onCall);
    });
    try {
      const loaded = isWorker() ? Promise.race([import(url), runCalled]) : import(url);
      await withDeadline(loaded as Promise<unknown>, seconds * 1000, `Loading ${module}`);
    } catch (error) {
      throw new ElenchusError(
        "IMPORT_FAILED",
        `The module ${module} cannot be loaded: ${sentence(messageOf(error))} Expected a .ts, .js or .mjs file that registers what the configuration names.`,
        { cause: error, details: { module } },
      );
    } finally {
      if (onCall) process.off(RUN_CALLED as "beforeExit", onCall);
    }
  }
}

/** File URLs of the user's modules that this process was told to load: a thread of its own loads the same. */
export function loadedModules(): string[] {
  return onePerProcess("loaded modules", () => []);
}

/** Arguments for `node` so that a process started from one of our own entry files can load our own sources. */
export function nodeArguments(): string[] {
  if (!runsFromSource()) return [];
  const tsx = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(tsx).href, "--conditions=elenchus-source"];
}

/** True when the product runs from its TypeScript sources, as its own tests do. */
export function runsFromSource(): boolean {
  return import.meta.url.endsWith(".ts");
}

/**
 * The file to start as a process, next to the module that asks.
 * @param url `import.meta.url` of the asking module
 * @param name its name without extension, for example `"./workerMain"`
 */
export function entryFile(url: string, name: string): URL {
  return new URL(`${name}${runsFromSource() ? ".ts" : ".js"}`, url);
}
