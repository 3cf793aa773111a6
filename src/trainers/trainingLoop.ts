import { setImmediate as nextTurn } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import type {
  ModelUpdateStrategy,
  Optimizer,
  OptimizerMemory,
  StepOutcome,
  TrainingPlan,
} from "../algorithms/index.js";
import type { Clock } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Batch } from "../data/index.js";
import type { Model } from "../models/index.js";
import { batchTensors } from "./batchTensors.js";
import { throwIfAborted } from "./interruption.js";
import { steppingOptimizer } from "./steppingOptimizer.js";
import type { StrategySet } from "./strategies/index.js";
import { memoryOf } from "./strategies/optimizerMemory.js";
import type { Trainer, TrainReport, TrainRequest } from "./trainer.js";
import type { TrainerCallback } from "./trainerCallback.js";

/** What the loop works with. */
export interface TrainingLoopRequest extends TrainRequest {
  readonly trainer: Trainer;
  readonly model: Model;
  readonly strategies: StrategySet;
  /** The algorithm's client half, then the trainer's own. */
  readonly updates: readonly ModelUpdateStrategy[];
  readonly callbacks: readonly TrainerCallback[];
  readonly epochs: number;
  /** Updates to make, in as many epochs as they take, in the place of `epochs`. */
  readonly localSteps?: number | undefined;
  readonly batchSize: number;
  /** Entry of `context.state` from which the optimizer goes on, and in which it is kept; undefined: neither. */
  readonly preserved?: string | undefined;
  /** Rounds that the learning-rate schedule runs over; undefined: it begins anew in every round. */
  readonly scheduledRounds?: number | undefined;
  readonly clock: Clock;
}

/**
 * Local training: epochs over batches, with strategies and callbacks at their places. Gives the event loop
 * a turn after every step, so that heartbeats and signals come through.
 *
 * While it runs, `context.state` holds `optimizer`, `current_batch` (from 1 within the epoch), `is_last_batch`,
 * `num_samples` and `last_loss`. They leave with the loop: what stays in the state is kept for the client on disk.
 */
export async function runTraining(request: TrainingLoopRequest): Promise<TrainReport> {
  const { trainer, model, strategies, updates, callbacks, indices, clock } = request;
  const { context } = trainer;
  const started = clock.monotonic();
  const { localSteps, preserved } = request;
  const plan = planOf(request);
  const total = plan.epochsHere * Math.ceil(indices.length / request.batchSize);
  let done = 0;
  let updatesMade = 0;
  let epochLoss = 0;

  for (const callback of callbacks) await callback.onTrainRunStart?.(trainer);
  strategies.loss.onTrainStart?.(context);
  strategies.trainingStep.onTrainStart?.(context);
  for (const update of updates) await update.onTrainStart?.(model, context);

  const optimizer = strategies.optimizer.createOptimizer(model, context);
  context.state.set("num_samples", indices.length);
  context.state.set("optimizer", optimizer);
  const stepping = steppingOptimizer(optimizer, { updates, model, context });
  try {
    if (preserved !== undefined) goOn(optimizer, context.state.get(preserved));
    const scheduler = strategies.scheduler.createScheduler(optimizer, context, plan);
    for (
      let epoch = 1;
      localSteps === undefined ? epoch <= request.epochs : updatesMade < localSteps;
      epoch++
    ) {
      const updatesBefore = updatesMade;
      context.currentEpoch = epoch;
      for (const callback of callbacks) await callback.onTrainEpochStart?.(trainer);

      let lossSum = 0;
      let weights = 0;
      for (const { batch, step, last } of batches(request)) {
        throwIfAborted(request.signal);
        context.state.set("current_batch", step);
        context.state.set("is_last_batch", last);
        for (const callback of callbacks) await callback.onTrainStepStart?.(trainer, batch, step);
        for (const update of updates) update.beforeStep?.(model, context);
        const { loss, weight, updated } = await oneStep(request, stepping, batch);
        if (updated) {
          updatesMade += 1;
          strategies.optimizer.onOptimizerStep?.(optimizer, context);
          scheduler.afterUpdate?.();
        }
        for (const update of updates) update.afterStep?.(model, context);
        context.state.set("last_loss", loss);
        for (const callback of callbacks) await callback.onTrainStepEnd?.(trainer, batch, loss, step);

        lossSum += loss * weight;
        weights += weight;
        done += 1;
        request.progress?.(done, Math.max(done, total), loss);
        await nextTurn();
        if (updatesMade === localSteps) break;
      }
      await strategies.trainingStep.finalize?.({
        model,
        optimizer: stepping,
        computeLoss: lossOf(strategies, context),
        context,
      });
      epochLoss = lossSum / weights;
      scheduler.step(epochLoss);
      if (weights > 0) trainer.history.updateMetric("train_loss", epochLoss);
      for (const callback of callbacks) await callback.onTrainEpochEnd?.(trainer);
      // Rows without a label never come to an update.
      if (localSteps !== undefined && updatesMade === updatesBefore) break;
    }
    if (preserved !== undefined) context.state.set(preserved, memoryOf(optimizer));
    for (const update of updates) await update.onTrainEnd?.(model, context);
    strategies.trainingStep.onTrainEnd?.(context);
  } finally {
    context.state.delete("optimizer");
    optimizer.dispose();
  }
  for (const callback of callbacks) await callback.onTrainRunEnd?.(trainer);
  for (const key of ["current_batch", "is_last_batch", "num_samples", "last_loss"]) context.state.delete(key);

  return {
    numSamples: indices.length,
    trainLoss: Number.isFinite(epochLoss) && done > 0 ? epochLoss : null,
    trainingTime: (clock.monotonic() - started) / 1000,
  };
}

/** The batches of one epoch, each with its place; one is read ahead to know the last. */
function* batches({ trainer, strategies, trainset, indices, batchSize }: TrainingLoopRequest) {
  if (indices.length === 0) return;
  const loader = strategies.dataLoader.createTrainLoader(trainset, indices, batchSize, trainer.context);
  let batch: Batch | undefined;
  let step = 0;
  for (const next of loader) {
    if (batch) yield { batch, step, last: false };
    batch = next;
    step += 1;
  }
  if (batch) yield { batch, step, last: true };
}

/** One step; every tensor made in it is freed, except variables and what was kept with `tf.keep`. */
async function oneStep(
  { trainer, model, strategies }: TrainingLoopRequest,
  optimizer: Optimizer,
  batch: Batch,
): Promise<Required<StepOutcome>> {
  const { context } = trainer;
  tf.engine().startScope("training step");
  try {
    const { inputs, labels } = batchTensors(batch);
    const done = await strategies.trainingStep.trainingStep({
      model,
      optimizer,
      inputs,
      labels,
      computeLoss: lossOf(strategies, context),
      context,
    });
    const outcome = typeof done === "number" ? { loss: done } : done;
    return { weight: batch.length, updated: true, ...outcome };
  } finally {
    tf.engine().endScope();
  }
}

/** The schedule's span, and how many epochs of it are this training's. */
function planOf(request: TrainingLoopRequest): TrainingPlan & { epochsHere: number } {
  const { strategies, trainer, indices, batchSize, localSteps, scheduledRounds } = request;
  const batchCount = Math.ceil(indices.length / batchSize);
  const updatesPerEpoch = strategies.trainingStep.updatesPerEpoch?.(batchCount) ?? batchCount;
  const epochsHere =
    localSteps === undefined ? request.epochs : Math.ceil(localSteps / Math.max(updatesPerEpoch, 1));
  const here = { epochsHere, updatesPerEpoch };
  if (scheduledRounds === undefined) return { ...here, epochs: epochsHere, epochsBefore: 0 };
  const epochsBefore = Math.max(trainer.context.currentRound - 1, 0) * epochsHere;
  return { ...here, epochs: epochsHere * scheduledRounds, epochsBefore, overRounds: true };
}

/** @param kept what an optimizer of the client remembered in its last round */
function goOn(optimizer: Optimizer, kept: unknown): void {
  memoryOf(optimizer);
  if (kept !== undefined) optimizer.recall!(kept as OptimizerMemory);
}

function lossOf({ loss }: StrategySet, context: TrainingContext) {
  return (outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar => loss.computeLoss(outputs, labels, context);
}
