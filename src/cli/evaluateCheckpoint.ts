import { dirname, join } from "node:path";
import { type Clock, ElenchusError, type Logger } from "../base/index.js";
import { type EvaluationOutcome, evaluationTables } from "../evaluators/index.js";
import {
  defaultRunId,
  type ResultsDocument,
  requireNewJob,
  standaloneFolder,
  writeStandaloneResults,
} from "../results/index.js";
import type { HostProgress } from "../trainers/index.js";
import type { CommonOptions } from "./commonOptions.js";
import { prepareConfig, startTestingHost } from "./preparedRun.js";
import { otherModel, requireModel, savedWeights } from "./savedWeights.js";

/** What is evaluated, by which configuration. */
export interface CheckpointRequest {
  /** A TOML file with an `[evaluation]` section. */
  readonly config: string;
  readonly checkpoint: string;
  readonly options: CommonOptions;
}

/** What an evaluation needs of its surroundings. */
export interface EvaluationSurroundings {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborting it ends the work. */
  readonly signal: AbortSignal;
  /** Hears how far the test of a round's weights is. */
  readonly onProgress?: ((round: number, progress: HostProgress) => void) | undefined;
}

/** What was found and where it stands. */
export interface EvaluatedCheckpoint {
  readonly outcomes: readonly EvaluationOutcome[];
  readonly document: ResultsDocument;
  readonly path: string;
}

/**
 * Runs the configured evaluators on a saved model and writes `results.json`.
 * @throws everything that can be found before the first evaluator; what the host rejects with, and then nothing is
 *   written
 */
export async function evaluateCheckpoint(
  { config: path, checkpoint: from, options }: CheckpointRequest,
  { logger, clock, signal, onProgress }: EvaluationSurroundings,
): Promise<EvaluatedCheckpoint> {
  const prepared = await prepareConfig({ ...options, config: path, load: options.import }, logger);
  const { config, name, paths } = prepared;
  if (evaluationTables(config).length === 0) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `${path} has no [evaluation] section, so there is nothing to evaluate. Add one with a type; \`elenchus list evaluators\` shows what there is.`,
    );
  }
  const checkpoint = await savedWeights(from);
  requireModel(checkpoint, config);
  const start = clock.now();
  const job = {
    resultPath: paths.results,
    runId: options.runId ?? defaultRunId(name, start),
    project: config.general.project,
    group: config.general.group,
  };
  await requireNewJob(job);
  const { host, backend } = await startTestingHost(prepared, options.import, logger, clock);
  try {
    const { round, weights, runId, weightsSha256 } = checkpoint;
    const folder = standaloneFolder(job);
    const task = {
      round,
      weights,
      lastRound: true,
      state: new Map(),
      samplesFolder: join(folder, "samples"),
      // Beside the jobs: one that was interrupted has another name when it is asked for again.
      answersFolder: join(dirname(folder), ".answers"),
    };
    const outcomes = (await host.test(task, signal, (progress) => onProgress?.(round, progress))).evaluations;
    const written = await writeStandaloneResults({
      ...job,
      name,
      start,
      end: clock.now(),
      config,
      backend,
      parent: { run_id: runId, round, weights_sha256: weightsSha256 },
      outcomes,
    });
    return { ...written, outcomes };
  } catch (error) {
    throw otherModel(error, from);
  } finally {
    await host.close();
  }
}
