import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addCommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { addCheckCommand } from "./check.js";
import { addClientCommand } from "./client.js";
import { addDatasetCommand } from "./dataset.js";
import { addEvalCommand } from "./eval.js";
import { addEvaluateCommand } from "./evaluate.js";
import { addExportCommand } from "./export.js";
import { addListCommand } from "./list.js";
import { addMixEvalCommand } from "./mixeval/index.js";
import { addNewCommand } from "./new.js";
import { addReproduceCommand } from "./reproduce.js";
import { addResultsCommand } from "./results.js";
import { addRunCommand } from "./run.js";
import { addSchemaCommand } from "./schema.js";
import { addScoreCommand } from "./score.js";
import { addServeCommand } from "./serve.js";
import { addServerCommand } from "./server.js";
import { addTaskCommand } from "./task.js";
import { addWorkerCommand } from "./worker.js";

const { version: VERSION } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };

/** The program with all its commands; `setExit` receives an exit status that no error stands for. */
export function buildCommands(output: Output, setExit: (status: number) => void): Command {
  const program = addCommonOptions(new Command("elenchus"))
    .description("Federated learning with structured evaluation after every round.")
    .version(VERSION, "--version", "print the version")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: output.stdout, writeErr: output.stderr, outputError: () => {} })
    .exitOverride();
  addRunCommand(program, output, setExit);
  addServerCommand(program, output, setExit);
  addClientCommand(program, output, setExit);
  addCheckCommand(program, output);
  addEvaluateCommand(program, output, setExit);
  addReproduceCommand(program, output, setExit);
  addExportCommand(program, output);
  addScoreCommand(program, output, setExit);
  addMixEvalCommand(program, output, setExit);
  addWorkerCommand(program, output, setExit);
  addResultsCommand(program, output);
  addTaskCommand(program, output);
  addServeCommand(program, output, setExit);
  addDatasetCommand(program, output);
  addEvalCommand(program, output, setExit);
  addListCommand(program, output);
  addNewCommand(program, output);
  addSchemaCommand(program, output);
  return program;
}
