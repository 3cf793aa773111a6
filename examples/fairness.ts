// How evenly a global model serves the clients: elenchus run CONFIG.toml --import examples/fairness.ts,
// with [evaluation] type = "fairness" and clients.do_test = true.
import { type EvaluationInput, EvaluationResult, EvaluationSkipped, Evaluator, registry } from "elenchus";
import { z } from "zod";

const clientResults = z.array(
  z.object({
    client_id: z.number(),
    num_samples: z.number(),
    scalar: z.object({ name: z.string(), value: z.number() }).nullable(),
  }),
);

/** Worst client and variance over the clients of a round, of the scalar that each client's own test gave. */
export class FairnessEvaluator extends Evaluator {
  static options = z.object({
    /** Whether a higher scalar is better, as with accuracy. */
    higher_is_better: z.boolean().default(true),
  });
  static metrics = {
    worst_client: { higherIsBetter: true },
    variance: { higherIsBetter: false },
    gap: { higherIsBetter: false },
  };
  static primaryMetric = "worst_client";

  evaluate({ context }: EvaluationInput): EvaluationResult {
    const { higher_is_better: higherIsBetter } = FairnessEvaluator.options.parse(this.config);
    // The server puts there what its clients reported in this round.
    const clients = clientResults.parse(context.state.get("client_results") ?? []);
    const tested = clients.flatMap(({ client_id, scalar }) =>
      scalar === null ? [] : [{ client: client_id, value: scalar.value }],
    );
    if (tested.length === 0) throw new EvaluationSkipped("No client has tested in this round.");

    const values = tested.map(({ value }) => value);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const worst = higherIsBetter ? least : most;
    return new EvaluationResult({
      evaluator: "fairness",
      primaryMetric: "worst_client",
      metrics: {
        worst_client: worst,
        // Every client counts alike: that is what fairness is about.
        variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length,
        gap: most - least,
      },
      higherIsBetter: { worst_client: higherIsBetter, variance: false, gap: false },
      metadata: {
        clients: tested.length,
        worst: tested.find(({ value }) => value === worst)!.client,
      },
    });
  }
}

registry.register("fairness", FairnessEvaluator);
