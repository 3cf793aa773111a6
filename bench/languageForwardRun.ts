// Reads batches with the small GPT in this process and prints one line of JSON.
// Arguments: "wasm" for the back end as Elenchus loads it, "stock" for the package as it is; steps, repetitions.
import { stderrLogger } from "../src/base/index.js";
import { loadBackend, tf } from "../src/compute/index.js";
import { randomTokens, smallGpt, tokensPerSecond } from "./smallGpt.js";

const VOCABULARY = 256;
const [kind, ...numbers] = process.argv.slice(2);
const [steps = 1, repetitions = 1] = numbers.map(Number);

let arithmetic: string | undefined;
if (kind === "stock") {
  await import("@tensorflow/tfjs-backend-wasm");
  tf.enableProdMode();
  await tf.setBackend("wasm");
} else {
  ({ arithmetic } = await loadBackend("wasm", { logger: stderrLogger("warn") }));
}
const model = await smallGpt(VOCABULARY);
const tokens = randomTokens(VOCABULARY, "tokens");

let sum = Number.NaN;
const step = () => {
  sum = tf.tidy(() => tf.sum(model.forwardTokens(tokens, { training: false })).dataSync()[0]!);
};
for (let index = 0; index < 5; index += 1) step();
console.log(
  JSON.stringify({ arithmetic, tokens_per_second: tokensPerSecond(step, steps, repetitions), sum }),
);
