import type { Command } from "commander";
import { createLogger } from "../../base/index.js";
import type { CommonOptions } from "../commonOptions.js";
import { exportModel } from "../exportModel.js";
import type { Output } from "../output.js";
import { prepareConfig } from "../preparedRun.js";
import { requireModel, savedWeights } from "../savedWeights.js";

/** `elenchus export CONFIG --checkpoint PATH --output FOLDER`: a saved language model as others load it. */
export function addExportCommand(program: Command, output: Output): void {
  program
    .command("export")
    .description("write a saved language model as a folder that Hugging Face's libraries load")
    .argument("<config>", "TOML file of the run")
    .requiredOption("--checkpoint <path>", "checkpoint file, or a run's folder of checkpoints (its newest)")
    .requiredOption("--output <folder>", "where to write config.json, model.safetensors and the tokenizer")
    .action(async (path: string, own: { checkpoint: string; output: string }) => {
      const options = program.opts<CommonOptions>();
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const prepared = await prepareConfig({ ...options, config: path, load: options.import }, logger);
      const checkpoint = await savedWeights(own.checkpoint);
      requireModel(checkpoint, prepared.config);
      const files = await exportModel({ ...prepared, ...checkpoint, logger, folder: own.output });
      const { round, runId: run_id } = checkpoint;
      if (options.json)
        output.stdout(`${JSON.stringify({ folder: own.output, files: [...files], run_id, round })}\n`);
      else output.stdout(`${own.output}: ${files.join(", ")} (round ${round} of ${run_id})\n`);
    });
}
