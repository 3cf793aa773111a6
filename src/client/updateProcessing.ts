import { receivedFrom } from "../algorithms/index.js";
import { type Clock, createRandom, ElenchusError } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { Processing } from "../processors/index.js";
import type { TrainOutcome, TrainTask } from "../trainers/index.js";
import type { Weights } from "../weights/index.js";

/** Trains for a task; the state that it gives back is the trainer's own. */
type Train = (task: TrainTask) => Promise<TrainOutcome>;

/** An update as it is sent. */
export interface ProcessedUpdate {
  readonly outcome: Omit<TrainOutcome, "weights" | "state">;
  readonly parts: readonly Uint8Array[];
  /** Seconds that processors took; 0 without any. */
  readonly processingTime: number;
  /** To be kept for the logical client. */
  readonly state: ReadonlyMap<string, unknown>;
}

/**
 * Has a logical client trained and its update processed. What processors lose is kept in the client's state, where
 * trainers do not see it.
 * @throws CLIENT_STATE_LOST, WEIGHTS_INVALID
 */
export async function processedUpdate(
  task: TrainTask,
  train: Train,
  { config, processing, clock }: { config: Config; processing: Processing; clock: Clock },
): Promise<ProcessedUpdate> {
  const { up } = processing;
  const state = new Map(task.state);
  const lost = up.keepsError ? lostBefore(task) : undefined;
  state.delete(LOST);
  const { weights, state: left, ...outcome } = await train({ ...task, state });

  const startedAt = clock.monotonic();
  const { clientId, round } = task;
  const randomOf = (name: string) =>
    createRandom(config.trainer.random_seed, "processor", name, clientId, round);
  const reference = up.ofChanges ? receivedFrom(task.weights).weights : undefined;
  const encoded = await up.encode(weights, { randomOf, reference, lost });
  const kept = up.keepsError ? new Map([...left, [LOST, await encoded.lost()]]) : left;
  const processingTime = up.processes ? (clock.monotonic() - startedAt) / 1000 : 0;
  return { outcome, parts: encoded.parts, processingTime, state: kept };
}

/** Entry of a client's state. */
const LOST = "lost_by_processors";

function lostBefore({ state, lastRound, clientId, weights }: TrainTask): Weights | undefined {
  const found = state.get(LOST);
  if (found === undefined) {
    if (lastRound === undefined || lastRound === null) return undefined;
    throw new ElenchusError(
      "CLIENT_STATE_LOST",
      `Client ${clientId} took part in round ${lastRound}, but what its processors kept for it then is not on this machine, or is damaged. Client processes of several machines must share the folder server.checkpoint_path; or set server.disable_clients = true, so that each process is one logical client and keeps its own.`,
      { details: { client_id: clientId, round: lastRound } },
    );
  }
  if (found instanceof Map && [...found].every(([name, array]) => fits(array, weights.get(name))))
    return found;
  throw new ElenchusError(
    "WEIGHTS_INVALID",
    `What the processors of client ${clientId} kept does not fit the model. Its state is of another run or model: start the run under another --run-id.`,
  );
}

function fits(found: unknown, array: { readonly data: ArrayLike<number> } | undefined): boolean {
  const { data } = (found ?? {}) as { data?: unknown };
  return array !== undefined && data instanceof Float32Array && data.length === array.data.length;
}
