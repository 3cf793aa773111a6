#!/usr/bin/env node
import { runCommandLine } from "./commandLine.js";
import { documentOutput, processOutput } from "./output.js";

const words = process.argv.slice(2);
const output = words.includes("--json") ? documentOutput() : processOutput;
process.exitCode = await runCommandLine(words, output);
