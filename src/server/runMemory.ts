import type { AlgorithmState } from "../algorithms/index.js";
import type { Clock } from "../base/index.js";
import type { Config } from "../config/index.js";
import { type EvaluationOutcome, tableEntries } from "../evaluators/index.js";
import { type RoundRecord, roundRecord } from "../results/index.js";
import type { ScalarMetric } from "../trainers/index.js";
import type { Checkpoint, Score, Weights } from "../weights/index.js";
import type { ClientResult } from "./clientResults.js";
import { itemsOf } from "./loggedItems.js";
import type { RoundTest } from "./roundTest.js";
import { createSelection, type Selection } from "./selection.js";

/** What a run carries from round to round, and from a checkpoint into a resumed run. */
export interface RunMemory {
  weights: Weights;
  /** `context.state` of the server. */
  state: ReadonlyMap<string, unknown>;
  /** What the algorithm's server half carries from round to round. */
  algorithm: AlgorithmState | undefined;
  /**
   * The round after which each logical client's update was last aggregated; undefined where nobody knows, in a run that
   * was begun before this was kept.
   */
  readonly lastRounds: Map<number, number> | undefined;
  readonly selection: Selection;
  /** Payload bytes sent and received, since the run began. */
  payloadBytes: number;
  /** Those of them since the round was opened. */
  readonly roundBytes: number;
  /** Seconds since the run began, without the time between its parts; of simulated time where the clock is simulated. */
  elapsed(): number;
  /** A round begins. */
  roundOpened(): void;
  /** Its members have ended: simulated time passes until the last of them. */
  roundClosed(clients: readonly ClientResult[]): void;
  lastRow: RoundRecord | null;
}

/**
 * The memory at start-up: of a new run, or as the checkpoint has it.
 * @throws CHECKPOINT_INVALID when the checkpoint's row is none
 */
export function createRunMemory(
  config: Config,
  clock: Clock,
  start: { readonly weights: Weights; readonly resume?: Checkpoint | undefined },
): RunMemory {
  const { resume, weights } = start;
  const startedAt = clock.monotonic();
  const before = resume?.clocks.elapsed_time ?? 0;
  let bytesBefore = resume?.clocks.payload_bytes ?? 0;
  let simulated = 0;
  const real = () => (clock.monotonic() - startedAt) / 1000;
  return {
    weights,
    state: resume?.state ?? new Map(),
    algorithm: resume?.algorithm,
    lastRounds: resume === undefined ? new Map() : resume.clientRounds && new Map(resume.clientRounds),
    selection: createSelection(config.server.random_seed, resume?.random.selection),
    payloadBytes: resume?.clocks.payload_bytes ?? 0,
    get roundBytes() {
      return this.payloadBytes - bytesBefore;
    },
    elapsed: () => before + (config.server.simulate_wall_time ? simulated : real()),
    roundOpened() {
      bytesBefore = this.payloadBytes;
    },
    roundClosed(clients) {
      simulated += Math.max(0, ...clients.map(({ totalTime }) => totalTime));
    },
    lastRow: resume === undefined ? null : roundRecord(resume.row),
  };
}

/** The row of a tested round; its clients one by one only where the configuration wants their record. */
export function rowOf(
  memory: RunMemory,
  facts: {
    readonly config: Config;
    readonly round: number;
    readonly test: RoundTest;
    readonly clients: readonly ClientResult[];
  },
): RoundRecord {
  const { config, round, test, clients } = facts;
  const { scalar, scalarStd } = test;
  const { payloadBytes, roundBytes } = memory;
  const recorded = config.clients.do_test && config.results.record_clients_accuracy ? clients : [];
  return {
    round,
    items: itemsOf({
      round,
      scalar,
      scalarStd,
      clients,
      elapsed: memory.elapsed(),
      payloadBytes,
      roundBytes,
    }),
    evaluations: [...test.evaluations],
    ...(test.clientEvaluations.length > 0 && { clientEvaluations: [...test.clientEvaluations] }),
    scalar: scoreOf(scalar),
    clients: recorded.flatMap(({ clientId, scalar: own }) =>
      own === null ? [] : [{ clientId, metric: own.name, value: own.value }],
    ),
  };
}

/** The checkpoint of a tested round. */
export function checkpointOf(
  memory: RunMemory,
  facts: {
    readonly runId: string;
    readonly config: Config;
    readonly row: RoundRecord;
    readonly test: RoundTest;
  },
): Checkpoint {
  const { runId, config, row, test } = facts;
  const { next } = test;
  return {
    runId,
    model: config.trainer.model_name,
    round: row.round,
    weights: memory.weights,
    row,
    state: memory.state,
    ...(memory.algorithm && { algorithm: memory.algorithm }),
    ...(memory.lastRounds && { clientRounds: memory.lastRounds }),
    random: { selection: memory.selection.state() },
    clocks: {
      elapsed_time: memory.elapsed(),
      payload_bytes: memory.payloadBytes,
      // A run that reached a target must not do another round when it is resumed. One that did all its rounds
      // needs no mark, and may go on when there are to be more.
      completed: completes(next) && row.round < config.trainer.rounds ? 1 : 0,
    },
    scalar: scoreOf(test.scalar),
    primary: primaryScore(config, test.evaluations),
  };
}

function completes(next: RoundTest["next"]): boolean {
  return next.kind === "end" && next.ending.status === "completed";
}

function scoreOf(scalar: ScalarMetric | null): Score | null {
  if (scalar === null) return null;
  return { metric: scalar.name, value: scalar.value, higherIsBetter: scalar.higherIsBetter };
}

/** The primary metric of the first table, where it was measured. */
function primaryScore(config: Config, evaluations: readonly EvaluationOutcome[]): Score | null {
  const first = tableEntries(config)[0]?.name ?? evaluations[0]?.name;
  const outcome = evaluations.find(({ name }) => name === first);
  if (outcome === undefined || outcome.result === null) return null;
  const { primary_metric: metric, primary_value: value } = outcome.result;
  return { metric, value, higherIsBetter: outcome.primaryHigherIsBetter };
}
