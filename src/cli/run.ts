import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ElenchusError, isWorker, type LogLevel, nearest, runInWorker } from "../base/index.js";
import { attendRun } from "./attendedRun.js";
import { processOutput } from "./output.js";
import type { RunDocument } from "./runDocument.js";

/** How `run` is to go about it. Every option has a twin on the command line. */
export interface RunOptions {
  /**
   * Modules that every process of the run loads first. Default: the program's own main file. An empty list
   * loads none.
   */
  imports?: readonly string[];
  /** Name of the run; by default the configuration's name and the time. */
  runId?: string;
  /** Continue a run from its newest checkpoint. */
  resume?: boolean;
  /** Overrides `general.base_path`. */
  base?: string;
  /** `section.key=value`, in the order given. */
  set?: readonly string[];
  /** Sets every `random_seed`. */
  seed?: number;
  /** Turn unknown and unsupported keys into warnings. */
  lenient?: boolean;
  /** How much to say on standard error. Default "info". */
  log?: LogLevel;
  /** Aborting it ends the run in an orderly way. */
  signal?: AbortSignal;
}

/**
 * Runs a federation on this machine: a server, client processes, and after every round a row in a CSV.
 *
 * Evaluation runs in a worker process, which loads `imports` first. There, and in client processes, a call
 * of `run` never settles: a program may both register its evaluators and call `run`.
 * @param config path of a TOML file, or an object with its keys
 * @returns the document of `elenchus run --json`
 * @throws ElenchusError, for a run that fails as for one that cannot start
 */
export async function run(config: string | object, options: RunOptions = {}): Promise<RunDocument> {
  if (isWorker()) return runInWorker();
  requireKnownOptions(options);
  const main = mainModule();
  const imports = options.imports?.map(absolute) ?? (main === undefined ? [] : [main]);
  const { log = "info", signal, imports: _, ...rest } = options;
  const { finished } = await attendRun(
    { ...rest, config, imports, load: imports.filter((file) => file !== main), log, launchClients: true },
    processOutput,
    { signal },
  );
  if (finished.error !== null) throw finished.error;
  return finished.document;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof RunOptions>([
  "imports",
  "runId",
  "resume",
  "base",
  "set",
  "seed",
  "lenient",
  "log",
  "signal",
]);

/** A misspelt option would otherwise change nothing, without a word. */
function requireKnownOptions(options: RunOptions): void {
  for (const name of Object.keys(options)) {
    if (OPTIONS.has(name)) continue;
    const suggestion = nearest(name, OPTIONS);
    const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
    throw new ElenchusError(
      "USAGE",
      `run() has no option "${name}".${hint} Expected: ${[...OPTIONS].join(", ")}.`,
    );
  }
}

/** The file with which Node was started, as a path; none for the product's own command and for `node -e`. */
function mainModule(): string | undefined {
  const started = process.argv[1];
  if (started === undefined) return undefined;
  try {
    const file = realpathSync(resolve(started));
    const own = [new URL("./main.js", import.meta.url), new URL("./main.ts", import.meta.url)];
    return own.some((url) => fileURLToPath(url) === file) ? undefined : file;
  } catch {
    return undefined;
  }
}

/** Other processes of the run need not share this one's working folder. */
function absolute(file: string): string {
  return file.startsWith("file:") ? fileURLToPath(file) : fileURLToPath(pathToFileURL(resolve(file)));
}
