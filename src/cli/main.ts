#!/usr/bin/env node
import { processOutput } from "./output.js";
import { runCommandLine } from "./commandLine.js";

process.exitCode = await runCommandLine(process.argv.slice(2), processOutput);
