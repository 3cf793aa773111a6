import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The built command, as a user starts it. */
export const COMMAND = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** How a process ended and what it wrote. */
export interface Finished {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A process that runs. */
export interface Started {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** What it has written to standard error so far. */
  stderr(): string;
  /** Settles when standard error matches; rejects when the process ends without. */
  said(pattern: RegExp): Promise<void>;
}

/** Starts `node` with arguments and gathers what it writes; killed after `seconds`. */
export function startNode(words: readonly string[], cwd: string, seconds = 120): Started {
  const child = spawn(process.execPath, [...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
    for (const look of watchers) look();
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, stdout, stderr });
    });
  });
  return {
    child,
    finished,
    stderr: () => stderr,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(stderr)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        void finished.then((end) =>
          reject(new Error(`ended before it said ${pattern}: ${JSON.stringify(end)}`)),
        );
        look();
      }),
  };
}

/** Runs `elenchus` to its end. */
export function elenchus(words: readonly string[], cwd: string, seconds?: number): Promise<Finished> {
  return startNode([COMMAND, ...words], cwd, seconds).finished;
}

/** Starts `elenchus` and leaves it running. */
export function startElenchus(words: readonly string[], cwd: string, seconds?: number): Started {
  return startNode([COMMAND, ...words], cwd, seconds);
}
