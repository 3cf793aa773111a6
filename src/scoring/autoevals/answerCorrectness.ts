import { z } from "zod";
import type { AutoevalsScore } from "./autoevalsScore.js";

const statements = z.array(z.string());
const metadataSchema = z.object({
  factuality: z.object({ TP: statements, FP: statements, FN: statements }),
  answerSimilarityScore: z.number(),
});
const weightsSchema = z.object({
  factualityWeight: z.number().default(0.75),
  answerSimilarityWeight: z.number().default(0.25),
});

/**
 * AnswerCorrectness where the judge finds no statement in either text: nothing is wrong and nothing is missing, so the
 * F1 of statements is 1. The package divides 0 by 0 there. Any other score stays as it is.
 * @param given arguments of the call, for the weights
 */
export function correctnessOf(
  found: AutoevalsScore,
  given: Readonly<Record<string, unknown>>,
): AutoevalsScore {
  const parsed = metadataSchema.safeParse(found.metadata);
  if (!parsed.success) return found;
  const { factuality, answerSimilarityScore } = parsed.data;
  if (Object.values(factuality).some((list) => list.length > 0)) return found;
  const { factualityWeight, answerSimilarityWeight } = weightsSchema.parse(given);
  const score =
    (factualityWeight + answerSimilarityWeight * answerSimilarityScore) /
    (factualityWeight + answerSimilarityWeight);
  return { score, metadata: { ...found.metadata, factualityScore: 1 } };
}
