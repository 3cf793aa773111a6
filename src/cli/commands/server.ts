import type { Command } from "commander";
import { attendRun } from "../attendedRun.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { reportRun } from "../runReport.js";
import { runRequest } from "./run.js";

/** `elenchus server CONFIG`: the server alone; clients come from this and other machines. */
export function addServerCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  program
    .command("server")
    .description("run the server of a federation; clients are started apart")
    .argument("<config>", "TOML file; needs server.token")
    .action(async (config: string) => {
      const options = program.opts<CommonOptions>();
      const attended = await attendRun(runRequest(config, options, false), output);
      reportRun(attended, options, output, setExit);
    });
}
