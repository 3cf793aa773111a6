import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs a script of this folder in a process of its own.
 * @returns what its last line says, as JSON
 */
export function benchProcess<Result>(
  program: string,
  flags: readonly string[],
  script: string,
  scriptArguments: readonly string[],
): Result {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const output = execFileSync(program, [...flags, file, ...scriptArguments], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output.trim().split("\n").at(-1)!) as Result;
}

/** Two digits behind the point. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
