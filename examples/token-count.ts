import { registry, Evaluator, EvaluationResult, type EvaluationInput, run } from "elenchus";

class TokenCountEvaluator extends Evaluator {
  evaluate(request: EvaluationInput): EvaluationResult {
    const tokens = Number(request.context.state.get("token_count") ?? 0);
    return new EvaluationResult({
      evaluator: "token_count",
      primaryMetric: "token_count",
      metrics: { token_count: tokens },
      higherIsBetter: { token_count: false },
    });
  }
}

registry.register("token_count", TokenCountEvaluator); // a class, or a function (config) => Evaluator
await run("configs/quickstart.toml");
