import { ElenchusError, messageOf } from "../base/index.js";
import { type Assign, cutText, type Report } from "../protocol/index.js";
import type { TrainOutcome } from "../trainers/index.js";
import { reportedEvaluations } from "./reportedEvaluations.js";

/** What came of an assignment and is to be told to the server. */
export type WorkResult =
  | {
      readonly kind: "update";
      readonly outcome: Omit<TrainOutcome, "weights" | "state">;
      /** The update as it is sent. */
      readonly parts: readonly Uint8Array[];
      /** Seconds that processors took. */
      readonly processingTime: number;
    }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** One assignment on its way through this process. */
export interface Work {
  readonly round: number;
  readonly clientId: number;
  readonly test: boolean;
  /** As the server said it, see `Assign`. */
  readonly lastRound?: number | null | undefined;
  readonly abort: AbortController;
  /** The connection in which the server last spoke of it, counted from 1. */
  connection: number;
  /** The transfer that brings its weights; null once they are here. */
  transfer: string | null;
  result: WorkResult | null;
}

export function workFor(assign: Assign, connection: number): Work {
  return {
    round: assign.round,
    clientId: assign.client_id,
    test: assign.test,
    lastRound: assign.last_round,
    abort: new AbortController(),
    connection,
    transfer: assign.transfer.id,
    result: null,
  };
}

/** True when an assignment speaks of that work. */
export function isSameWork(
  work: Work,
  assign: { readonly round: number; readonly client_id: number },
): boolean {
  return work.round === assign.round && work.clientId === assign.client_id;
}

/** The result of work that threw. */
export function failedWork(error: unknown): WorkResult {
  const code = error instanceof ElenchusError ? error.code : "TRAINING_FAILED";
  return { kind: "failed", code, message: cutText(messageOf(error)) };
}

type Update = Extract<WorkResult, { kind: "update" }>;

/** The report on finished training. */
export function reportOf(
  work: Work,
  { outcome, processingTime }: Pick<Update, "outcome" | "processingTime">,
  transfer: Report["transfer"],
): Report {
  const { scalar, evaluations = [] } = outcome;
  return {
    round: work.round,
    client_id: work.clientId,
    num_samples: outcome.numSamples,
    train_loss: finiteOrNull(outcome.trainLoss),
    training_time: outcome.trainingTime,
    ...(processingTime > 0 && { processing_time: processingTime }),
    scalar:
      scalar === null
        ? null
        : {
            name: scalar.name,
            value: finiteOrNull(scalar.value),
            higher_is_better: scalar.higherIsBetter,
          },
    ...(evaluations.length > 0 && { evaluations: reportedEvaluations(evaluations) }),
    transfer,
  };
}

/** JSON has no NaN and no infinity. */
export function finiteOrNull(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
