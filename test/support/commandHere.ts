import { runCommandLine } from "../../src/cli/commandLine.js";

/** Runs the command in this process, as to a file and not to a terminal. */
export async function commandHere(...words: string[]) {
  let [stdout, stderr] = ["", ""];
  const status = await runCommandLine(words, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    terminal: false,
    columns: 100,
  });
  return { status, stdout, stderr };
}
