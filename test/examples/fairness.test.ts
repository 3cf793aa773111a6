import { describe, expect, it } from "vitest";
import { FairnessEvaluator } from "../../examples/fairness.js";
import { TrainingContext } from "../../src/context/index.js";
import type { EvaluationInput } from "../../src/evaluators/index.js";

const client = (id: number, value: number | null) => ({
  client_id: id,
  num_samples: 10,
  train_loss: null,
  scalar: value === null ? null : { name: "accuracy", value },
  evaluations: {},
});
const evaluate = (clients: object[] | undefined, options: object = {}) => {
  const context = new TrainingContext({ state: clients === undefined ? [] : [["client_results", clients]] });
  return new FairnessEvaluator({ type: "fairness", ...options }).evaluate({
    context,
  } as unknown as EvaluationInput);
};

describe("fairness over clients", () => {
  it("is the worst client, and how far all are apart", () => {
    // Mean 0.6; squares 0.04, 0, 0.04: variance 0.08 / 3.
    const { metrics, metadata, higherIsBetter } = evaluate([
      client(1, 0.8),
      client(2, 0.6),
      client(7, 0.4),
      client(8, null),
    ]);
    expect(metrics.worst_client).toBe(0.4);
    expect(metrics.variance).toBeCloseTo(0.08 / 3, 12);
    expect(metrics.gap).toBeCloseTo(0.4, 12);
    expect(metadata).toEqual({ clients: 3, worst: 7 });
    expect(higherIsBetter).toEqual({ worst_client: true, variance: false, gap: false });
  });

  it("knows that of losses the largest is the worst", () => {
    const { metrics, higherIsBetter } = evaluate([client(1, 2), client(2, 5)], { higher_is_better: false });
    expect(metrics.worst_client).toBe(5);
    expect(higherIsBetter.worst_client).toBe(false);
  });

  it("is not evaluated in rounds in which no client tests", () => {
    for (const none of [undefined, [], [client(1, null)]])
      expect(() => evaluate(none)).toThrow("No client has tested");
  });
});
