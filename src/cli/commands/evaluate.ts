import type { Command } from "commander";
import { createLogger, ElenchusError, systemClock } from "../../base/index.js";
import { type EvaluationOutcome, strictFailure } from "../../evaluators/index.js";
import type { HostProgress } from "../../trainers/index.js";
import { type BackfillOutcome, backfillRun } from "../backfillRun.js";
import type { CommonOptions } from "../commonOptions.js";
import { type EvaluatedCheckpoint, evaluateCheckpoint } from "../evaluateCheckpoint.js";
import { liveTable } from "../liveTable.js";
import type { Output } from "../output.js";
import { signalStatus, stoppable } from "../signals.js";
import { shortNumber, textTable } from "../table.js";

interface OwnOptions {
  checkpoint?: string;
  rounds?: string;
  config?: string;
}

/**
 * `elenchus evaluate CONFIG --checkpoint PATH`: the configured evaluators on a saved model.
 * `elenchus evaluate RUN --rounds all|failed|3,5`: evaluators on the checkpoints that a run has kept.
 */
export function addEvaluateCommand(
  program: Command,
  output: Output,
  setExit: (status: number) => void,
): void {
  program
    .command("evaluate")
    .description("run evaluators on a saved model, or on the kept checkpoints of a past run")
    .argument("<config-or-run>", "TOML file with an [evaluation] section; with --rounds a run")
    .option("--checkpoint <path>", "checkpoint file, or a run's folder of checkpoints (its newest)")
    .option("--rounds <rounds>", "all, failed, or rounds like 3,5: fill in the rows of a run")
    .option("--config <file>", "with --rounds: a configuration whose evaluators to use, not the run's own")
    .action(async (target: string, own: OwnOptions) => {
      const options = program.opts<CommonOptions>();
      requireOneKind(own);
      const table = liveTable(output, systemClock);
      const logger = createLogger(options.log, (line, level) =>
        table.print(level === "info" ? line : `${level}: ${line}`),
      );
      const watched = options.log === "info" || options.log === "debug";
      const onProgress = watched
        ? (round: number, progress: HostProgress) => table.see({ kind: "testing", round, progress })
        : undefined;
      const { checkpoint, rounds, config } = own;
      const { value: failure, received } = await stoppable(async (stop, stopped) => {
        const surroundings = { logger, clock: systemClock, signal: stop.signal, onProgress };
        try {
          if (checkpoint !== undefined) {
            const request = { config: target, checkpoint, options };
            const evaluated = await evaluateCheckpoint(request, surroundings);
            table.close();
            return show(evaluated, options, output);
          }
          const request = { run: target, rounds: rounds!, config, options };
          const filled = await backfillRun(request, surroundings);
          table.close();
          return showRun(filled, options, output);
        } catch (error) {
          table.close();
          if (stopped() === null) throw error;
          const rest = checkpoint === undefined ? "rounds that were done stay" : "nothing was written";
          output.stderr(`error [INTERRUPTED]: The evaluation was stopped; ${rest}.\n`);
          return undefined;
        }
      });
      if (received !== null) setExit(signalStatus(received));
      else if (failure !== undefined) throw printed(failure);
    });
}

function requireOneKind({ checkpoint, rounds, config }: OwnOptions): void {
  if ((checkpoint === undefined) === (rounds === undefined)) {
    throw new ElenchusError(
      "USAGE",
      "evaluate needs either --checkpoint PATH, for a saved model, or --rounds all|failed|3,5, for a past run.",
    );
  }
  if (config === undefined || rounds !== undefined) return;
  throw new ElenchusError("USAGE", "--config goes with --rounds; with --checkpoint the argument names it.");
}

function show(
  { outcomes, document, path }: EvaluatedCheckpoint,
  { json }: CommonOptions,
  output: Output,
): ElenchusError | undefined {
  if (json) output.stdout(`${JSON.stringify(document)}\n`);
  else output.stdout(`${outcomeTable(["evaluator"], outcomeRows(outcomes))}\nresults: ${path}\n`);
  return strictFailure(outcomes);
}

function showRun(
  { document, csv, evaluated, failure }: BackfillOutcome,
  { json }: CommonOptions,
  output: Output,
): ElenchusError | undefined {
  if (json) {
    output.stdout(`${JSON.stringify(document)}\n`);
    return failure;
  }
  const rows = evaluated.flatMap(({ round, outcomes }) =>
    outcomeRows(outcomes).map((cells) => [String(round), ...cells]),
  );
  if (rows.length > 0) output.stdout(`${outcomeTable(["round", "evaluator"], rows)}\n`);
  output.stdout(`csv: ${csv}\n`);
  return failure;
}

function outcomeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return textTable([...head, "status", "metric", "value"], rows);
}

function outcomeRows(outcomes: readonly EvaluationOutcome[]): string[][] {
  return outcomes.flatMap(({ name, status, reason, result }) =>
    result === null
      ? [[name, status, reason ?? "", ""]]
      : Object.entries(result.metrics).map(([metric, value]) => [name, status, metric, shortNumber(value)]),
  );
}

/** The document stands on standard output already. */
function printed(failure: ElenchusError): ElenchusError {
  return new ElenchusError(failure.code, failure.message, {
    cause: failure,
    details: { documentPrinted: true },
  });
}
