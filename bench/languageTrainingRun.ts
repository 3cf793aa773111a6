// Trains the small GPT in this process and prints one line of JSON.
// Arguments: back end, tokens of the vocabulary, steps per repetition, repetitions, steps of warm-up.
import { stderrLogger } from "../src/base/index.js";
import { tokenCrossEntropy } from "../src/compute/fused/index.js";
import { type BackendName, loadBackend, tf } from "../src/compute/index.js";
import { AdamStrategy } from "../src/trainers/strategies/adam.js";
import { randomTokens, smallGpt, tokensPerSecond } from "./smallGpt.js";

const [backendName, ...numbers] = process.argv.slice(2);
const [vocabulary = 256, steps = 1, repetitions = 1, warmUp = 0] = numbers.map(Number);

const backend = await loadBackend(backendName as BackendName, { logger: stderrLogger("warn") });
const model = await smallGpt(vocabulary);
const optimizer = new AdamStrategy({
  lr: 1e-3,
  betas: [0.9, 0.999],
  eps: 1e-8,
  weight_decay: 0,
}).createOptimizer();
const tokens = randomTokens(vocabulary, "tokens");
const labels: tf.Tensor1D = tf.reshape(randomTokens(vocabulary, "labels"), [-1]);
const variables = [...model.variables.values()];

let loss = Number.NaN;
for (let index = 0; index < warmUp; index += 1) loss = step();
const rate = tokensPerSecond(
  () => {
    loss = step();
  },
  steps,
  repetitions,
);
console.log(
  JSON.stringify({
    arithmetic: backend.arithmetic,
    parameters: variables.reduce((sum, { size }) => sum + size, 0),
    tokens_per_second: rate,
    loss,
    resident_megabytes: process.memoryUsage.rss() / 1e6,
  }),
);

/** What a trainer does with a batch: forward, back, Adam, and the loss read as a number. */
function step(): number {
  const { value, grads } = tf.variableGrads(() => {
    const logits = model.forwardTokens(tokens, { training: true });
    return tf.mean(tokenCrossEntropy(tf.reshape(logits, [-1, vocabulary]), labels)) as tf.Scalar;
  }, variables);
  const gradients = new Map([...model.variables].map(([name, variable]) => [name, grads[variable.name]!]));
  optimizer.step(model.variables, gradients);
  const [number = Number.NaN] = value.dataSync();
  tf.dispose(grads);
  value.dispose();
  return number;
}
