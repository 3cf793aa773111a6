import { z } from "zod";
import { defineScorer } from "../defineScorer.js";
import type { Judgement, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import { IfevalAccuracies } from "./accuracies.js";
import { checkInstructions, type InstructionVerdicts } from "./checkInstructions.js";
import { IFEVAL_COLUMNS, ifevalRequest } from "./ifevalRow.js";

/**
 * Instruction following by IFEval's 25 checks. Score: share of the instructions followed strictly; weight: their
 * number. Each row adds `strict`, `loose` and `unstable`.
 */
export const ifevalScorer = defineScorer({
  name: "ifeval",
  description: "IFEval's 25 checkable instructions, strict and loose (lighteval and harness verdicts)",
  columns: IFEVAL_COLUMNS,
  params: z.strictObject({
    /** Of language detection and of the letter drawn for a sign that is none. */
    seed: z.int().default(0),
  }),
  judge: (row, { seed }): IfevalJudgement => {
    const { instructionIdList, ...request } = ifevalRequest(row);
    const verdicts = checkInstructions({ instructionIdList, ...request }, { seed });
    const { strict } = verdicts;
    return {
      score: strict.filter(Boolean).length / strict.length,
      weight: strict.length,
      ...verdicts,
      metadata: { instruction_id_list: instructionIdList },
    };
  },
  aggregation: () => new IfevalAggregation(),
});

interface IfevalJudgement extends Judgement, InstructionVerdicts {
  metadata: { instruction_id_list: readonly string[] };
}

class IfevalAggregation implements ScoreAggregation<IfevalJudgement> {
  readonly #accuracies = new IfevalAccuracies();

  add({ metadata, ...verdicts }: IfevalJudgement): void {
    this.#accuracies.add({ ...verdicts, instructionIdList: metadata.instruction_id_list });
  }

  metrics(): ScorerMetrics {
    return this.#accuracies.metrics();
  }

  /** Per instruction id. */
  details(): Record<string, ScorerMetrics> {
    return Object.fromEntries(
      [...this.#accuracies.instructions()].map(([id, { count, strict, loose }]) => [
        id,
        { count, strict_acc: strict, loose_acc: loose },
      ]),
    );
  }
}
