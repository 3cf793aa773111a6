import type { Clock, Logger } from "../base/index.js";
import type { Config } from "../config/index.js";
import {
  type ColumnClaims,
  dueEvaluations,
  type EvaluationOutcome,
  type EvaluatorLike,
  evaluateRound,
  withDeclaredEvaluations,
} from "../evaluators/index.js";
import type { Model } from "../models/index.js";
import { ownRows } from "./ownRows.js";
import type { EvaluatorChoice, TestRequest, Trainer } from "./trainer.js";

/** Seconds said of a table that is too faulty to have a timeout; its failure is immediate. */
const FAULTY_TABLE = 60;

/** What a trainer's evaluators are run with. */
export interface TrainerEvaluation extends TestRequest {
  readonly trainer: Trainer;
  /** The model, as no evaluator before has harmed it. */
  readonly modelAnew: () => Promise<Model>;
  /** Of the weights that every evaluator finds. */
  readonly weightsDigest: () => string;
  readonly config: Config;
  readonly choice: EvaluatorChoice;
  readonly evaluatorOverride: EvaluatorLike | undefined;
  readonly localMetric: number | undefined;
  readonly claims: ColumnClaims | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Runs the chosen evaluators and tells the listener of each before and after. */
export async function evaluateTrainer(evaluation: TrainerEvaluation): Promise<EvaluationOutcome[]> {
  const { trainer, config, choice, listener } = evaluation;
  const tables = withDeclaredEvaluations(config, trainer);
  const round = trainer.context.currentRound;
  const lastRound = choice.lastRound ?? round >= config.trainer.rounds;
  const running = evaluateRound({
    ...evaluation,
    anew: async () => ({
      model: await evaluation.modelAnew(),
      testset: ownRows(evaluation.testset),
      sampler: evaluation.indices?.slice(),
    }),
    context: trainer.context,
    tokenizer: trainer.tokenizer,
    sampler: evaluation.indices,
    lastRound,
    names: choice.names,
    onProgress: (name, pace) => listener?.onProgress?.(name, pace),
  });

  const outcomes: EvaluationOutcome[] = [];
  for (const { name, table } of dueEvaluations(tables, { round, lastRound, names: choice.names })) {
    await listener?.onEvaluatorStart?.(name, table?.timeout ?? FAULTY_TABLE);
    const { value } = await running.next();
    if (!value) break;
    outcomes.push(value.outcome);
    await listener?.onOutcome?.(value.outcome);
  }
  if (outcomes.length > 0) await evaluation.modelAnew();
  // To its end, which clears what is out of date even where nothing is due.
  await running.next();
  return outcomes;
}
