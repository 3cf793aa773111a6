// The evaluator subsystem inside another training loop: own model, no Elenchus server, no TensorFlow.js.
// Fits y = a x + b by gradient descent, measures it after every round and leaves the CSV of a run.
import { registry, runConfiguredEvaluation, TrainingContext } from "elenchus/evaluators";
import { createRecord } from "elenchus/results";

const model = { a: 0, b: 0 };
const x = Float32Array.from({ length: 50 }, (_, row) => row / 50);
const y = x.map((value) => 3 * value - 1);
const testset = { length: x.length, inputShape: [1], classes: 0, labels: y };
const trainer = {
  predict: async (_: unknown, rows: Int32Array) => ({
    outputs: Float32Array.from(rows, (row) => model.a * x[row]! + model.b),
    width: 1,
  }),
};

registry.register("slope", () => ({
  evaluate: () => ({ evaluator: "slope", primaryMetric: "slope", metrics: { slope: model.a } }),
}));
const config = { evaluation: [{ type: "regression" }, { type: "slope", every: 5 }], trainer: { rounds: 12 } };
const context = new TrainingContext({ model });
const record = await createRecord({ name: "foreign-loop", types: ["round", "loss"], config });

for (let round = 1; round <= config.trainer.rounds; round++) {
  for (let step = 0; step < 50; step++) {
    const errors = x.map((value, row) => model.a * value + model.b - y[row]!);
    model.a -= 0.5 * errors.reduce((sum, error, row) => sum + (2 * error * x[row]!) / x.length, 0);
    model.b -= 0.5 * errors.reduce((sum, error) => sum + (2 * error) / x.length, 0);
  }
  context.currentRound = round;
  const result = await runConfiguredEvaluation({ model, context, trainer, config, testset });
  await record.append({ round, loss: result?.primaryValue ?? null }, context);
}
await record.finish();
console.log(`wrote ${record.csv}`);
