#!/usr/bin/env node
import { runCommandLine } from "./commandLine.js";
import { processOutput } from "./output.js";

process.exitCode = await runCommandLine(process.argv.slice(2), processOutput);
