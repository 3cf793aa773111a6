import type { Command } from "commander";
import { attendRun } from "../attendedRun.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { reportRun } from "../runReport.js";
import type { RunRequest } from "../runRequest.js";

/** `elenchus run CONFIG`: server and clients on this machine. */
export function addRunCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  program
    .command("run")
    .description("run a federation on this machine: server, clients and live table")
    .argument("<config>", "TOML file")
    .action(async (config: string) => {
      const options = program.opts<CommonOptions>();
      const attended = await attendRun(runRequest(config, options, true), output);
      reportRun(attended, options, output, setExit);
    });
}

/** The request that a command line makes. */
export function runRequest(config: string, options: CommonOptions, launchClients: boolean): RunRequest {
  return {
    ...options,
    config,
    imports: options.import,
    load: options.import,
    launchClients,
  };
}
