import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs `node` on a file of the project, TypeScript or not, as a user would: against the built package. */
export function runProgram(
  file: string,
  { cwd, arguments: more = [], environment = {}, seconds = 110 }: RunOptions,
): Promise<{ stdout: string; stderr: string }> {
  const loader = file.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [];
  return promisify(execFile)(process.execPath, [...loader, `${root}${file}`, ...more], {
    cwd,
    env: { ...process.env, ...environment },
    timeout: seconds * 1000,
  });
}

/** Where and how a program runs. */
export interface RunOptions {
  readonly cwd: string;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Deadline. Default 110. */
  readonly seconds?: number;
}
