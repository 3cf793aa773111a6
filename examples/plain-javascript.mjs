// An evaluator without types or classes: a function that makes one, and a plain object as its result.
//
//     [evaluation]
//     type = "progress"
//
//     elenchus run CONFIG.toml --import examples/plain-javascript.mjs
import { registry } from "elenchus/evaluators";

registry.register("progress", () => ({
  evaluate({ localMetric, context }) {
    // What is kept in the state comes back in the next round.
    const { best = 0, stalled = 0 } = context.state.get("progress") ?? {};
    const improved = localMetric > best;
    const now = { best: Math.max(best, localMetric), stalled: improved ? 0 : stalled + 1 };
    context.state.set("progress", now);
    return {
      evaluator: "progress",
      primaryMetric: "best",
      metrics: { best: now.best, rounds_without_progress: now.stalled },
      higherIsBetter: { best: true, rounds_without_progress: false },
    };
  },
}));
