import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom, silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import type { GenerationRequest, TokenLogits } from "../../src/language/index.js";
import {
  loadOnnxRuntime,
  OnnxLanguageModel,
  type OnnxLanguageModelOptions,
  type OnnxRuntime,
} from "../../src/language/onnx/index.js";
import { TfLanguageModel } from "../../src/language/tensorflow/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { distance } from "../models/golden.js";
import { tokenizer } from "./bigram.js";
import { BigramModel } from "./bigramModel.js";
import { bigramNetwork } from "./bigramNetwork.js";
import { languageModelSuite } from "./suites/languageModelSuite.js";

let runtime: OnnxRuntime;
beforeAll(async () => {
  await loadBackend("wasm", { logger: silentLogger });
  runtime = await loadOnnxRuntime();
});

for (const options of [{}, { cache: false }, { passTokens: 3, keptTokens: 3 }]) {
  languageModelSuite(
    `of a table in onnxruntime ${JSON.stringify(options)}`,
    async () =>
      new OnnxLanguageModel(runtime, new BigramModel(), tokenizer, { network: bigramNetwork, ...options }),
    { forwards: true },
  );
}

const llama = {
  max_position_embeddings: 96,
  hidden_size: 24,
  intermediate_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  // Of eight numbers: one token a row has an operation of its own.
  head_dim: 8,
};
const sliding = { ...llama, use_sliding_window: true, sliding_window: 5, max_window_layers: 1 };
const KINDS: [name: string, parameters: Record<string, unknown>][] = [
  ["gpt", { n_layer: 2, n_head: 2, n_embd: 16, block_size: 96 }],
  ["gpt", { n_layer: 2, n_head: 2, n_embd: 8, block_size: 96, tie_word_embeddings: false }],
  ["gpt2", { n_layer: 2, n_head: 1, n_embd: 8, n_positions: 96, scale_attn_by_inverse_layer_idx: true }],
  ["llama", llama],
  ["llama", { ...llama, tie_word_embeddings: true, attention_bias: true, mlp_bias: true }],
  ["llama", { ...llama, max_position_embeddings: 16, rope_scaling: { rope_type: "dynamic", factor: 4 } }],
  ["mistral", { ...llama, sliding_window: 4 }],
  ["qwen2", sliding],
  ["qwen3", sliding],
  ["nanochat", { sequence_len: 96, n_layer: 3, n_head: 4, n_kv_head: 2, n_embd: 32, window_pattern: "SL" }],
];

describe.each(KINDS)("a model of the kind %s in onnxruntime %#", (name, parameters) => {
  let model: CausalModel;
  let tensorflow: TfLanguageModel;
  const made: OnnxLanguageModel[] = [];
  const using = (options: OnnxLanguageModelOptions = {}) => {
    made.push(new OnnxLanguageModel(runtime, model, tokenizer, options));
    return made.at(-1)!;
  };
  beforeAll(async () => {
    model = await lively(name, parameters, 1);
    tensorflow = new TfLanguageModel(model, tokenizer);
  });
  afterAll(async () => {
    for (const language of made) await language.dispose();
    model.dispose();
  });

  const shots = "Q: 1? A: one. Q: 2? A:";
  const random = createRandom(7);
  // Of many lengths, two of one, and longer than any window.
  const rows = [1, 9, 40, 3, 9].map((length) => Array.from({ length }, () => random.int(259)));

  test("gives the logits that TensorFlow.js gives", async () => {
    const expected = await tensorflow.forward(rows);
    for (const options of [{}, { passTokens: 20 }, { threads: 2 }]) {
      const actual = await using(options).forward(rows);
      actual.forEach(({ data, length }, row) => {
        expect(length).toBe(rows[row]!.length);
        expect(distance(data, expected[row]!.data)).toBeLessThan(1e-4);
      });
    }
  });

  test("scores what it has read before as what it reads at once", async () => {
    const questions = [
      ...[" two", " three", " twenty", " x"].map((continuation) => ({ context: shots, continuation })),
      ...["b", "c"].map((continuation) => ({ context: `${shots} two. Q: 3? A: `, continuation })),
      { context: "", continuation: "zebra" },
      { context: shots.slice(0, 12), continuation: shots.slice(12) },
      { context: `${shots}${shots}${shots}${shots}${shots}`, continuation: " two" },
    ];
    const options = { maxLength: 80 };
    const expected = await tensorflow.logLikelihood(questions, options);
    for (const limits of [{}, { cache: false }, { passTokens: 30, keptTokens: 70 }]) {
      const scores = await using(limits).logLikelihood(questions, options);
      scores.forEach((score, index) => {
        score.tokenLogLikelihoods.forEach((value, token) => {
          expect(Math.abs(value - expected[index]!.tokenLogLikelihoods[token]!)).toBeLessThan(1e-4);
        });
        expect(score.greedy).toBe(expected[index]!.greedy);
      });
    }
  });

  test("generates what TensorFlow.js generates", async () => {
    const requests: GenerationRequest[] = [
      { prompt: shots },
      { prompt: "" },
      { prompt: shots, temperature: 0.8, topK: 20, topP: 0.9, seed: 5 },
      { prompt: shots, temperature: 0.8, topK: 20, topP: 0.9, seed: 6, maxNewTokens: 3 },
      { prompt: `${shots}${shots}`, repetitionPenalty: 1.3 },
      { prompt: [81, 58] },
    ];
    const options = { maxNewTokens: 12, maxLength: 80 };
    const expected = await tensorflow.generate(requests, options);
    for (const limits of [{}, { cache: false }, { passTokens: 16, keptTokens: 60 }]) {
      expect(await using(limits).generate(requests, options)).toEqual(expected);
    }
  });

  test("takes new weights without being told", async () => {
    const language = using();
    const [before] = await language.forward([rows[1]!]);
    const other = await lively(name, parameters, 2);
    model.loadWeights(other.weights());
    other.dispose();
    const [after] = await language.forward([rows[1]!]);
    const [expected] = await tensorflow.forward([rows[1]!]);
    expect(distance(after!.data, expected!.data)).toBeLessThan(1e-4);
    expect(distance(after!.data, before!.data)).toBeGreaterThan(1e-2);
  });

  test("refuses what it cannot read", async () => {
    const language = using();
    await expect(language.forward([[1, 259]])).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining("Token 259 in row 0, place 1"),
    });
    await expect(language.forward([[1, -1]])).rejects.toMatchObject({ code: "DATA_INVALID" });
  });
});

describe("a language model in onnxruntime", () => {
  test("has positions for its context only, where it has a table of them", async () => {
    const model = await lively("gpt", { n_layer: 1, n_head: 1, n_embd: 8, block_size: 8 }, 1);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    await expect(language.forward([new Array(9).fill(1)])).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining("Row 0 of 9 tokens is too long for gpt"),
    });
    await language.dispose();
    model.dispose();
  });

  test("computes the logits of many tokens in parts", async () => {
    // A part is of 2^24 logits, which are sixteen tokens here; twenty-four are scored.
    const parameters = { n_layer: 1, n_head: 1, n_embd: 2, block_size: 8, vocab_size: 2 ** 20 };
    const model = await lively("gpt", parameters, 1);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    const rows = [1, 2, 3].map((first) => ({ context: [first], continuation: [2, 3, 4, 5, 6, 7, 8, 9] }));
    const parts = await language.logLikelihood(rows);
    const expected = await new TfLanguageModel(model, tokenizer).logLikelihood(rows);
    parts.forEach(({ tokenLogLikelihoods }, row) => {
      expect(distance(tokenLogLikelihoods, expected[row]!.tokenLogLikelihoods)).toBeLessThan(1e-4);
    });
    await language.dispose();
    model.dispose();
  });

  test("scores behind a beginning after which nothing is asked", async () => {
    const model = await lively("llama", { ...llama, max_position_embeddings: 400 }, 4);
    // The beginning is too long for a row with all that goes on from it, and no context ends with it.
    const questions = ["a", "b", "c", "d"].map((letter) => ({
      context: "x".repeat(200) + letter.repeat(60),
      continuation: " yes",
    }));
    const expected = await new TfLanguageModel(model, tokenizer).logLikelihood(questions);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    const scores = await language.logLikelihood(questions);
    scores.forEach(({ tokenLogLikelihoods, greedy }, index) => {
      expect(distance(tokenLogLikelihoods, expected[index]!.tokenLogLikelihoods)).toBeLessThan(1e-4);
      expect(greedy).toBe(expected[index]!.greedy);
    });
    await language.dispose();
    model.dispose();
  });

  test("knows the most likely token, of equals the first", async () => {
    const model = await lively("gpt", { n_layer: 1, n_head: 1, n_embd: 8, block_size: 8 }, 1);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    const [{ data }] = (await language.forward([[5]])) as [TokenLogits];
    const best = data.indexOf(Math.max(...data));
    const all = [...data.keys()].map((token) => ({ context: [5], continuation: [token] }));
    const chosen = (await language.logLikelihood(all)).map(({ greedy }) => greedy);
    expect(chosen).toEqual(all.map((_, token) => token === best));

    const weights = model.weights();
    for (const { data } of weights.values()) data.fill(0);
    model.loadWeights(weights);
    const scores = await language.logLikelihood(all);
    expect(scores.map(({ greedy }) => greedy)).toEqual(all.map((_, token) => token === 0));
    for (const { logLikelihood } of scores) expect(logLikelihood).toBeCloseTo(-Math.log(259), 5);
    await language.dispose();
    model.dispose();
  });

  test("refuses logits that are no numbers, be they of another token than is asked for", async () => {
    const parameters = { n_layer: 1, n_head: 1, n_embd: 8, block_size: 8, tie_word_embeddings: false };
    const model = await lively("gpt", parameters, 1);
    const weights = model.weights();
    weights.get("lm_head.weight")!.data[8 * 100] = Number.NaN;
    model.loadWeights(weights);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    await expect(language.logLikelihood([{ context: [5], continuation: [6] }])).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
      message: expect.stringContaining("not finite"),
    });
    await language.dispose();
    model.dispose();
  });

  test("holds few sessions, gives them back, and keeps nothing of what it has read", async () => {
    const model = await lively("gpt", { n_layer: 2, n_head: 2, n_embd: 16, block_size: 64 }, 1);
    let [made, released] = [0, 0];
    const counting: OnnxRuntime = {
      ...runtime,
      Tensor: runtime.Tensor,
      InferenceSession: {
        async create(bytes, options) {
          const session = await runtime.InferenceSession.create(bytes, options);
          made++;
          return {
            run: (feeds, fetches) => session.run(feeds, fetches),
            async release() {
              released++;
              await session.release();
            },
          };
        },
      },
    };
    const language = new OnnxLanguageModel(counting, model, tokenizer);
    const read = async () => {
      for (let length = 1; length < 60; length++) {
        const row = new Array<number>(length).fill(length);
        await language.forward([row, row.slice(length / 2)]);
        await language.generate([{ prompt: row }, { prompt: [1] }], { maxNewTokens: 3 });
      }
    };
    await read();
    const [tensors, before] = [tf.memory().numTensors, process.memoryUsage().rss];
    await read();
    await read();
    expect(tf.memory().numTensors).toBe(tensors);
    // The logits alone are 8 MB in each reading.
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
    // Whole rows, and one token a row.
    expect(made).toBe(2);
    await language.dispose();
    expect(released).toBe(2);
    // It is made anew when it is needed again.
    await language.forward([[1]]);
    await language.dispose();
    expect([made, released]).toEqual([3, 3]);
    model.dispose();
  });

  test("does not read the weights of a model that is gone", async () => {
    const model = await lively("gpt", { n_layer: 1, n_head: 1, n_embd: 8, block_size: 8 }, 1);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    await language.forward([[1]]);
    model.dispose();
    await expect(language.forward([[1]])).rejects.toThrow("disposed");
    await language.dispose();
  });

  test("is not made for a model whose graph nobody knows", () => {
    const model = new BigramModel();
    expect(() => new OnnxLanguageModel(runtime, model, tokenizer)).toThrow("bigram cannot be computed");
    model.dispose();
  });
});

/** First weights are so small that all tokens are nearly alike. */
describe("rotary positions in onnxruntime", () => {
  test("are there for a row with branches, which has more tokens than places", async () => {
    const model = await lively("llama", { ...llama, max_position_embeddings: 300 }, 3);
    // Places up to 250, and 270 tokens in one row: positions are made 256 at a time.
    const context = "x".repeat(230);
    const questions = ["a", "b"].map((letter) => ({ context, continuation: letter.repeat(20) }));
    const expected = await new TfLanguageModel(model, tokenizer).logLikelihood(questions);
    const language = new OnnxLanguageModel(runtime, model, tokenizer);
    const scores = await language.logLikelihood(questions);
    scores.forEach(({ logLikelihood }, index) => {
      expect(Math.abs(logLikelihood - expected[index]!.logLikelihood)).toBeLessThan(1e-3);
    });
    await language.dispose();
    model.dispose();
  });
});

describe.each(["gpt2", "llama"])("a model of the kind %s with adapters in onnxruntime", (name) => {
  const sizes = name === "llama" ? llama : { n_layer: 1, n_head: 2, n_embd: 16, n_positions: 96 };

  test("gives the logits that TensorFlow.js gives, of the adapters as they are at the time", async () => {
    const model = await lively(name, sizes, 1, { target_modules: "all-linear", r: 2 });
    const tensorflow = new TfLanguageModel(model, tokenizer);
    const onnx = new OnnxLanguageModel(runtime, model, tokenizer, {});
    const logits = async () => {
      const [[expected], [actual]] = await Promise.all([
        tensorflow.forward([[1, 2, 3]]),
        onnx.forward([[1, 2, 3]]),
      ]);
      expect(distance(actual!.data, expected!.data)).toBeLessThan(1e-4);
      return actual!.data;
    };
    const before = await logits();
    const weights = model.weights();
    for (const [weight, { data }] of weights) if (weight.includes("lora_B")) data.fill(0);
    model.loadWeights(weights);
    expect(distance(await logits(), before)).toBeGreaterThan(1e-2);
    await onnx.dispose();
    model.dispose();
  });
});

async function lively(
  name: string,
  parameters: Record<string, unknown>,
  seed: number,
  lora?: Record<string, unknown>,
): Promise<CausalModel> {
  const request = { inputShape: [4], classes: 259, parameters, lora, random: createRandom(seed, name) };
  const model = (await createModel({ model_name: name }, request)) as CausalModel;
  const weights = model.weights();
  const random = createRandom(seed + 1);
  for (const { dtype, data } of weights.values()) {
    if (dtype !== "float32") continue;
    for (const at of data.keys()) data[at] = data[at]! + 0.3 * random.normal();
  }
  model.loadWeights(weights);
  return model;
}
