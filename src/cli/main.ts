#!/usr/bin/env node
import { runCommandLine } from "./commandLine.js";
import { documentOutput, processOutput } from "./output.js";

const words = process.argv.slice(2);
const output = words.includes("--json") ? documentOutput() : processOutput;
// Whoever reads may stop reading (`| head`); what is under way goes on, unheard.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
// A user's module may end the process while it is being loaded; that must not look like success.
let ended = false;
process.once("exit", (status) => {
  if (ended || status !== 0) return;
  process.stderr.write(
    "error [IMPORT_FAILED]: A module ended the process before the command had done its work.\n",
  );
  process.exitCode = 2;
});
process.exitCode = await runCommandLine(words, output);
ended = true;
