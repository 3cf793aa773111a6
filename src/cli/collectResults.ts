import { createLogger, ElenchusError, systemClock } from "../base/index.js";
import { findRun, runDocument } from "../results/index.js";
import { collectRun } from "./collectRun.js";
import type { CommonOptions } from "./commonOptions.js";
import type { Output } from "./output.js";
import { stoppable } from "./signals.js";

/** What the command works with. */
export interface CollectSurroundings {
  readonly options: CommonOptions;
  readonly output: Output;
  readonly resultPath: string;
}

/** `elenchus results collect RUN`: fills rows whose jobs were pending, and says which still are. */
export async function collectResults(
  names: readonly string[],
  { options, output, resultPath }: CollectSurroundings,
): Promise<void> {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new ElenchusError("USAGE", "`results collect` takes one run: its id, its folder or its CSV.");
  }
  const logger = createLogger(options.log, (line, level) =>
    output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
  );
  const run = await findRun(name, resultPath);
  const { value } = await stoppable(async ({ signal }, received) => {
    try {
      return await collectRun(run, { logger, clock: systemClock, signal, wait: false });
    } catch (error) {
      if (received() === null) throw error;
      throw new ElenchusError("INTERRUPTED", "Collecting was stopped; rows that were filled stay.");
    }
  });
  if (options.json) {
    output.stdout(`${JSON.stringify(await runDocument(run))}\n`);
    if (value.failure) throw value.failure;
    return;
  }
  const { rounds, waiting, failure } = value;
  output.stdout(`${run.runId}: ${rounds.length === 0 ? "no row" : `rounds ${rounds.join(", ")}`} filled\n`);
  for (const { round, name: evaluator, job_id, server } of waiting) {
    output.stdout(`round ${round}: ${evaluator} waits for job ${job_id} at ${server}\n`);
  }
  if (failure) throw failure;
}
