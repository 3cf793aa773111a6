// Tokens per second of the small GPT (4 layers, width 128, 4 heads, context 128, batch 8, 256 tokens), one core:
// forward through the ONNX engine, through onnxruntime itself on a file made by hand, and through TensorFlow.js;
// then greedy answers of 64 tokens to 8 prompts of 32 tokens, and what it costs to take new weights.
// Run: node --import tsx bench/languageEngine.ts
import { createRandom, stderrLogger } from "../src/base/index.js";
import { loadBackend } from "../src/compute/index.js";
import type { LanguageModel } from "../src/language/index.js";
import { loadOnnxRuntime, OnnxLanguageModel } from "../src/language/onnx/index.js";
import { TfLanguageModel } from "../src/language/tensorflow/index.js";
import { type CausalModel, createModel } from "../src/models/index.js";
import { createByteTokenizer } from "../src/tokenizers/index.js";
import { handMadeGpt } from "./handMadeGpt.js";

const SHAPE = { layers: 4, heads: 4, width: 128, context: 128 };
const [BATCH, VOCABULARY, REPETITIONS] = [8, 256, 25];
/** Smallest share of onnxruntime's own speed. */
const TARGET = 0.9;

await loadBackend("wasm", { logger: stderrLogger("warn") });
const random = createRandom(1, "bench");
const parameters = {
  n_layer: SHAPE.layers,
  n_head: SHAPE.heads,
  n_embd: SHAPE.width,
  block_size: SHAPE.context,
  vocab_size: VOCABULARY,
};
const request = { inputShape: [SHAPE.context], classes: VOCABULARY, parameters, random };
const model = (await createModel({ model_name: "gpt" }, request)) as CausalModel;
// Only their number counts: the tokens are given as such.
const tokenizer = { ...createByteTokenizer(), vocabularySize: VOCABULARY };
const runtime = await loadOnnxRuntime();
const engine = new OnnxLanguageModel(runtime, model, tokenizer);
const tensorflow = new TfLanguageModel(model, tokenizer);
const session = await runtime.InferenceSession.create(handMadeGpt(model.weights(), SHAPE), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  enableMemPattern: true,
  logSeverityLevel: 3,
  extra: {},
});

const rows = Array.from({ length: BATCH }, () =>
  Array.from({ length: SHAPE.context }, () => random.int(VOCABULARY)),
);
const tokens = new runtime.Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), [BATCH, SHAPE.context]);
const raw = async () => (await session.run({ tokens }, { logits: null })).logits!.data as Float32Array;

const [expected, actual] = [await raw(), await engine.forward(rows)];
const size = SHAPE.context * VOCABULARY;
const error = actual.reduce(
  (worst, { data }, row) =>
    data.reduce((most, value, at) => Math.max(most, Math.abs(value - expected[row * size + at]!)), worst),
  0,
);
if (!(error < 1e-4)) throw new Error(`the engine and the file made by hand differ by ${error}`);

// In turn, so that whatever else the machine does disturbs all alike.
const times: Record<"engine" | "onnxruntime" | "tensorflow", number[]> = {
  engine: [],
  onnxruntime: [],
  tensorflow: [],
};
for (let repetition = 0; repetition < REPETITIONS; repetition++) {
  times.onnxruntime.push(await timed(raw));
  times.engine.push(await timed(() => engine.forward(rows)));
  if (repetition % 5 === 0) times.tensorflow.push(await timed(() => tensorflow.forward(rows)));
}
const perSecond = (seconds: number[]) => Math.round((BATCH * SHAPE.context) / median(seconds));
const ratio = median(times.onnxruntime.map((own, index) => own / times.engine[index]!));
const rebinding = await timed(async () => model.loadWeights(model.weights()));

console.log(
  JSON.stringify(
    {
      forward: {
        engine: perSecond(times.engine),
        onnxruntime: perSecond(times.onnxruntime),
        tensorflow: perSecond(times.tensorflow),
        of_onnxruntime: round(ratio),
        target: TARGET,
        of_tensorflow: round(median(times.tensorflow) / median(times.engine)),
      },
      generation: { engine: await answersPerSecond(engine), tensorflow: await answersPerSecond(tensorflow) },
      new_weights_ms: {
        load: round(1000 * rebinding),
        first_forward: round(1000 * (await timed(() => engine.forward(rows)))),
        forward: round(1000 * (await timed(() => engine.forward(rows)))),
      },
    },
    null,
    2,
  ),
);
if (ratio < TARGET) console.error(`the engine has ${round(ratio)} of onnxruntime's speed (target ${TARGET})`);
process.exitCode = ratio < TARGET ? 1 : 0;
await engine.dispose();
await session.release();

/** New tokens per second. */
async function answersPerSecond(language: LanguageModel): Promise<number> {
  const options = { maxNewTokens: 64, stopTokens: [] };
  const prompts = rows.map((row) => ({ prompt: row.slice(0, 32) }));
  await language.generate(prompts, { ...options, maxNewTokens: 4 });
  return Math.round((BATCH * 64) / (await timed(() => language.generate(prompts, options))));
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
