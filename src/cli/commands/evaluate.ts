import type { Command } from "commander";
import { createLogger, ElenchusError, systemClock } from "../../base/index.js";
import { type EvaluationOutcome, evaluationTables, strictFailure } from "../../evaluators/index.js";
import { defaultRunId, writeStandaloneResults } from "../../results/index.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { prepareConfig, startTestingHost } from "../preparedRun.js";
import { requireModel, savedWeights } from "../savedWeights.js";
import { signalStatus, stoppable } from "../signals.js";
import { shortNumber, textTable } from "../table.js";

/** `elenchus evaluate CONFIG --checkpoint PATH`: the configured evaluators on a saved model. */
export function addEvaluateCommand(
  program: Command,
  output: Output,
  setExit: (status: number) => void,
): void {
  program
    .command("evaluate")
    .description("run the configured evaluators on a saved model")
    .argument("<config>", "TOML file with an [evaluation] section")
    .requiredOption("--checkpoint <path>", "checkpoint file, or a run's folder of checkpoints (its newest)")
    .action(async (path: string, own: { checkpoint: string }) => {
      const options = program.opts<CommonOptions>();
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const prepared = await prepareConfig({ ...options, config: path, load: options.import }, logger);
      const { config, name, paths } = prepared;
      if (evaluationTables(config).length === 0) {
        throw new ElenchusError(
          "CONFIG_INVALID",
          `${path} has no [evaluation] section, so there is nothing to evaluate. Add one with a type; \`elenchus list evaluators\` shows what there is.`,
        );
      }
      const checkpoint = await savedWeights(own.checkpoint);
      requireModel(checkpoint, config);
      const { host, backend } = await startTestingHost(prepared, options.import, logger, systemClock);
      const start = systemClock.now();
      const task = {
        round: checkpoint.round,
        weights: checkpoint.weights,
        lastRound: true,
        state: new Map(),
      };
      const { value: outcomes, received } = await stoppable(async (stop, stopped) => {
        try {
          return (await host.test(task, stop.signal)).evaluations;
        } catch (error) {
          if (stopped() !== null) return null;
          throw otherModel(error, own.checkpoint);
        } finally {
          await host.close();
        }
      });
      if (received !== null || outcomes === null) {
        output.stderr("error [INTERRUPTED]: The evaluation was stopped; nothing was written.\n");
        setExit(signalStatus(received ?? "SIGINT"));
        return;
      }
      const written = await writeStandaloneResults({
        resultPath: paths.results,
        runId: options.runId ?? defaultRunId(name, start),
        name,
        start,
        end: systemClock.now(),
        config,
        backend,
        parent: {
          run_id: checkpoint.runId,
          round: checkpoint.round,
          weights_sha256: checkpoint.weightsSha256,
        },
        project: config.general.project,
        group: config.general.group,
        outcomes,
        round: checkpoint.round,
      });
      if (options.json) output.stdout(`${JSON.stringify(written.document)}\n`);
      else output.stdout(`${outcomeTable(outcomes)}\nresults: ${written.path}\n`);
      const strict = strictFailure(outcomes);
      if (strict)
        throw new ElenchusError(strict.code, strict.message, {
          cause: strict,
          details: { documentPrinted: true },
        });
    });
}

/** A model of the same name may have other layers. */
function otherModel(error: unknown, path: string): unknown {
  if (!(error instanceof ElenchusError) || error.code !== "WEIGHTS_INVALID") return error;
  return new ElenchusError(
    "CHECKPOINT_INVALID",
    `The checkpoint ${path} does not fit the configured model: ${error.message} Use the configuration of the run that wrote it.`,
    { cause: error },
  );
}

function outcomeTable(outcomes: readonly EvaluationOutcome[]): string {
  const rows = outcomes.flatMap(({ name, status, reason, result }) =>
    result === null
      ? [[name, status, reason ?? "", ""]]
      : Object.entries(result.metrics).map(([metric, value]) => [name, status, metric, shortNumber(value)]),
  );
  return textTable(["evaluator", "status", "metric", "value"], rows);
}
