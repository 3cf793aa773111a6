import { CommanderError } from "commander";
import { ElenchusError, messageOf } from "../base/index.js";
import { buildCommands } from "./commands/index.js";
import type { Output } from "./output.js";

/**
 * Runs one command line.
 * @param words what follows `elenchus`
 * @returns the exit status: 0 success, 1 the run failed, 2 bad usage or input, 3 a threshold missed, 130 and
 * 143 an orderly stop
 */
export async function runCommandLine(words: readonly string[], output: Output): Promise<number> {
  let exit = 0;
  const commands = buildCommands(output, (status) => {
    exit = status;
  });
  try {
    await commands.parseAsync([...words], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // A command that needs another word has shown what there is.
    if (error instanceof CommanderError && error.code === "commander.help") return 2;
    reportError(toElenchusError(error), words, output);
    return toElenchusError(error).exitCode;
  }
}

/** Errors go to standard error as one message; with `--json` standard output still gets one document. */
function reportError(error: ElenchusError, words: readonly string[], output: Output): void {
  output.stderr(`error [${error.code}]: ${error.message}\n`);
  if (debugs(words)) output.stderr(`${stackOf(error)}\n`);
  if (words.includes("--json") && error.details.documentPrinted !== true) {
    const { documentPrinted: _, ...details } = error.details;
    output.stdout(`${JSON.stringify({ error: { code: error.code, message: error.message, details } })}\n`);
  }
}

function toElenchusError(error: unknown): ElenchusError {
  if (error instanceof ElenchusError) return error;
  if (error instanceof CommanderError) {
    return new ElenchusError("USAGE", error.message.replace(/^error: /, ""), { cause: error });
  }
  return new ElenchusError("INTERNAL", messageOf(error), { cause: error });
}

function debugs(words: readonly string[]): boolean {
  return words.some(
    (word, index) => word === "--log=debug" || (word === "--log" && words[index + 1] === "debug"),
  );
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
