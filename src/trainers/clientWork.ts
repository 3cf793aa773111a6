import {
  type Algorithm,
  type ClientTask,
  type ModelUpdateStrategy,
  receivedFrom,
} from "../algorithms/index.js";
import { ElenchusError } from "../base/index.js";
import type { Config } from "../config/index.js";
import type { Dataset } from "../data/index.js";
import { dueOnClient, EVALUATION_STATE_KEYS } from "../evaluators/index.js";
import type { Weights } from "../weights/index.js";
import type { StepProgress, Trainer, TrainReport, TrainRequest } from "./trainer.js";
import type { HostProgress, TrainOutcome, TrainTask } from "./trainerHost.js";

/** What one client's work is done with. */
export interface ClientWork {
  readonly task: TrainTask;
  readonly config: Config;
  readonly algorithm: Algorithm;
  /** The client's part of the training set. */
  readonly trainRows: { readonly dataset: Dataset; readonly indices: Int32Array };
  /** What of the test set it is tested on; undefined: all. */
  readonly testRows: { readonly dataset: Dataset; readonly indices: Int32Array | undefined };
  /** Has a trainer work that is made for it, with the client's state, and frees it. */
  readonly withTrainer: <T>(
    made: { update: ModelUpdateStrategy | undefined; state: ReadonlyMap<string, unknown> },
    work: (trainer: Trainer, state: ReadonlyMap<string, unknown>) => Promise<T>,
  ) => Promise<T>;
  /** The entries of a state that can leave the process. */
  readonly portable: (state: ReadonlyMap<string, unknown>) => Map<string, unknown>;
  readonly signal: AbortSignal;
  readonly stepProgress: StepProgress;
  readonly progress: ((progress: HostProgress) => void) | undefined;
}

/**
 * One logical client's part of a round: training from the global weights, the update, the algorithm's second training
 * where it has one, and the test with the evaluators that are due on clients.
 * @throws CLIENT_STATE_LOST
 */
export async function trainClient(work: ClientWork): Promise<TrainOutcome> {
  const { task, config, algorithm, withTrainer } = work;
  requireOwnState(work);
  const { weights, extras: received } = receivedFrom(task.weights);
  const { modelUpdate, personalUpdate, personalEpochs } = algorithm.client;
  const given: ClientTask = { config, clientId: task.clientId, round: task.round, received };
  const update = typeof modelUpdate === "function" ? modelUpdate(given) : modelUpdate;

  return withTrainer({ update, state: task.state }, async (trainer, state) => {
    const report = await trainFrom(weights, trainer, work);
    const sent = await trainer.update();
    if (personalUpdate === undefined) {
      return {
        ...report,
        weights: sent,
        ...(await testClient(trainer, work)),
        state: keptState(state, work),
      };
    }
    // Its optimizer has moments of its own.
    const personalTraining = { epochs: personalEpochs, optimizerKey: "personal_optimizer_memory" };
    const own = { update: personalUpdate(given), state: work.portable(state) };
    return withTrainer(own, async (personal, personalState) => {
      const more = await trainFrom(weights, personal, work, personalTraining);
      const trainingTime = report.trainingTime + more.trainingTime;
      const tested = await testClient(personal, work);
      return { ...report, trainingTime, weights: sent, ...tested, state: keptState(personalState, work) };
    });
  });
}

/** A client that begins anew while the others remember would spoil what the algorithm is for, and nobody would see. */
function requireOwnState({ task, config, algorithm }: ClientWork): void {
  const { clientId, lastRound, state } = task;
  const keeps = algorithm.client.keepsState === true || config.trainer.preserve_optimizer_state;
  if (!keeps || lastRound === undefined || lastRound === null || state.size > 0) return;
  throw new ElenchusError(
    "CLIENT_STATE_LOST",
    `Client ${clientId} took part in round ${lastRound}, but what was kept for it (algorithm "${algorithm.name}") is not on this machine, or is damaged. Client processes of several machines must share the folder server.checkpoint_path; or set server.disable_clients = true, so that each process is one logical client and keeps its own.`,
    { details: { client_id: clientId, round: lastRound } },
  );
}

async function trainFrom(
  weights: Weights,
  trainer: Trainer,
  { trainRows, signal, stepProgress }: ClientWork,
  more: Pick<TrainRequest, "epochs" | "optimizerKey"> = {},
): Promise<TrainReport> {
  (await trainer.model()).loadWeights(weights);
  const { dataset: trainset, indices } = trainRows;
  return trainer.train({ trainset, indices, ...more, signal, progress: stepProgress });
}

async function testClient(
  trainer: Trainer,
  { task, config, testRows, signal, progress }: ClientWork,
): Promise<Pick<TrainOutcome, "scalar" | "evaluations">> {
  if (!task.test) return { scalar: null };
  const { clientId, round, samplesFolder } = task;
  const names = dueOnClient(config, round);
  progress?.({ stage: "test", clientId, done: 0, total: 1 });
  const { scalar, evaluations } = await trainer.testModel({
    testset: testRows.dataset,
    indices: testRows.indices,
    signal,
    evaluators: { names },
    listener: {
      onEvaluatorStart: (note) =>
        progress?.({ stage: "evaluate", clientId, done: 0, total: names.length, note }),
    },
    samplesFolder,
  });
  return names.length === 0 ? { scalar } : { scalar, evaluations };
}

/** What evaluators found is reported, not remembered: the next round would take it for its own. */
function keptState(state: ReadonlyMap<string, unknown>, { portable }: ClientWork): Map<string, unknown> {
  const kept = portable(state);
  for (const key of EVALUATION_STATE_KEYS) kept.delete(key);
  return kept;
}
