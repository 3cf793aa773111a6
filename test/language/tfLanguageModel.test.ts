import * as tf from "@tensorflow/tfjs-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import type {
  GenerationRequest,
  LogLikelihood,
  LogLikelihoodRequest,
  PassOptions,
} from "../../src/language/index.js";
import { TfLanguageModel } from "../../src/language/tensorflow/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { expectTensors } from "../support/cpuTensors.js";
import { tokenizer } from "./bigram.js";
import { BigramModel } from "./bigramModel.js";
import { languageModelSuite } from "./suites/languageModelSuite.js";

for (const options of [{}, { cache: false }, { passTokens: 3, keptTokens: 3 }]) {
  languageModelSuite(
    `of a table ${JSON.stringify(options)}`,
    async () => new TfLanguageModel(new BigramModel(), tokenizer, options),
    { forwards: true },
  );
}

const KINDS: [name: string, parameters: Record<string, unknown>][] = [
  ["gpt", { n_layer: 2, n_head: 2, n_embd: 8, block_size: 64 }],
  [
    "llama",
    {
      // Fewer than it is given here: it has positions for all.
      max_position_embeddings: 48,
      hidden_size: 12,
      intermediate_size: 8,
      num_hidden_layers: 2,
      num_attention_heads: 2,
      num_key_value_heads: 1,
    },
  ],
  ["nanochat", { sequence_len: 64, n_layer: 2, n_head: 2, n_kv_head: 1, n_embd: 24, window_pattern: "SL" }],
  [
    // Beyond 16 tokens nothing it has read can be kept.
    "llama",
    {
      max_position_embeddings: 16,
      rope_scaling: { rope_type: "dynamic", factor: 4 },
      hidden_size: 12,
      intermediate_size: 8,
      num_hidden_layers: 1,
      num_attention_heads: 2,
      num_key_value_heads: 1,
    },
  ],
];

describe.each(KINDS)("a model of the kind %s %#", (name, parameters) => {
  let model: CausalModel;
  beforeAll(async () => {
    const request = { inputShape: [4], classes: 259, parameters, random: createRandom(1, name) };
    model = (await createModel({ model_name: name }, request)) as CausalModel;
    // First weights are so small that all tokens are nearly alike.
    const weights = model.weights();
    const random = createRandom(2);
    for (const { data } of weights.values()) {
      for (const at of data.keys()) data[at] = data[at]! + 0.3 * random.normal();
    }
    model.loadWeights(weights);
  });
  afterAll(() => model.dispose());
  const using = (options: PassOptions = {}) => new TfLanguageModel(model, tokenizer, options);
  const maxLength = 64;

  const shots = "Q: 1? A: one. Q: 2? A:";
  const questions: LogLikelihoodRequest[] = [
    ...[" two", " three", " twenty", " x", " x"].map((continuation) => ({ context: shots, continuation })),
    ...["b", "c"].map((continuation) => ({ context: `${shots} two. Q: 3? A: `, continuation })),
    { context: "", continuation: "zebra" },
    { context: shots.slice(0, 12), continuation: shots.slice(12) },
    { context: `${shots}${shots}${shots}`, continuation: " two" },
  ];

  test("scores as its logits say, however requests are batched, and leaves no tensors behind", async () => {
    const expected = questions.map(({ context, continuation }) => {
      // What it reads, written out: the begin token, the context without its last space, the continuation.
      const text = `${(context as string).trimEnd()}${(context as string).endsWith(" ") ? " " : ""}${continuation}`;
      const tokens = [256, ...tokenizer.encode(text)];
      const count = (continuation as string).length + ((context as string).endsWith(" ") ? 1 : 0);
      return logOf(model, tokens.slice(-(maxLength + 1)), count);
    });
    let first: LogLikelihood[] | undefined;
    await expectTensors(0, async () => {
      for (const options of [{}, { cache: false }, { passTokens: 30, keptTokens: 70 }]) {
        const results = await using(options).logLikelihood(questions, { maxLength });
        first ??= results;
        results.forEach(({ logLikelihood }, index) => {
          // A sum of up to 10 tokens, against one of exact exponentials.
          expect(Math.abs(logLikelihood - expected[index]!)).toBeLessThan(1e-4);
          expect(Math.abs(logLikelihood - first![index]!.logLikelihood)).toBeLessThan(1e-5);
        });
        const alone = await using(options).logLikelihood([questions[1]!], { maxLength });
        expect(Math.abs(alone[0]!.logLikelihood - results[1]!.logLikelihood)).toBeLessThan(1e-5);
        expect(results[9]!.truncated).toBe(1 + 3 * shots.length + 4 - 65);
      }
    });
  });

  test("reads what requests share once", async () => {
    let read = 0;
    const counting = new Proxy(model, {
      get(target, key) {
        const value = Reflect.get(target, key, target) as unknown;
        if (key !== "hiddenStates") return typeof value === "function" ? value.bind(target) : value;
        return (tokens: tf.Tensor2D, options: { lengths: number[] }) => {
          read += options.lengths.reduce((sum, length) => sum + length, 0);
          return target.hiddenStates(tokens, { ...options, training: false });
        };
      },
    });
    const four = questions.slice(0, 4);
    await new TfLanguageModel(counting, tokenizer).logLikelihood(four, { maxLength });
    // The begin token, the context and a space; then of each continuation all but its last token. Shared: t, then
    // w and ent, or hre.
    const dynamic = "rope_scaling" in parameters;
    expect(read).toBe(dynamic ? 4 * 24 + 2 + 4 + 5 : 24 + 1 + 1 + 3 + 3);
    read = 0;
    // One token each: the same tokens are read for all of them.
    const letters = ["A", "B", "C", "D"].map((continuation) => ({ context: "Which?", continuation }));
    await new TfLanguageModel(counting, tokenizer).logLikelihood(letters);
    expect(read).toBe(7);
    read = 0;
    // A begin token, the examples and a space, then " x" and " yz" without it; the answers are not read.
    const prompts = [{ prompt: `${shots} x` }, { prompt: `${shots} yz` }];
    await new TfLanguageModel(counting, tokenizer).generate(prompts, { maxNewTokens: 1, maxLength });
    expect(read).toBe(dynamic ? 25 + 26 : 24 + 1 + 2);
  });

  test("generates the same from a cache, without one, alone and in company", async () => {
    const requests: GenerationRequest[] = [
      { prompt: shots },
      { prompt: "" },
      { prompt: shots, temperature: 0.8, topK: 20, topP: 0.9, seed: 5 },
      { prompt: shots, temperature: 0.8, topK: 20, topP: 0.9, seed: 6, maxNewTokens: 3 },
      { prompt: `${shots}${shots}`, repetitionPenalty: 1.3 },
      { prompt: [{ role: "user", content: "two?" }] },
      { prompt: [81, 58] },
    ];
    const options = { maxNewTokens: 6, maxLength };
    await expectTensors(0, async () => {
      const cached = await using().generate(requests, options);
      expect(await using({ cache: false }).generate(requests, options)).toEqual(cached);
      expect(await using({ passTokens: 16, keptTokens: 60 }).generate(requests, options)).toEqual(cached);
      expect(await using().generate([requests[2]!], options)).toEqual([cached[2]]);
    });
  });

  test("gives up a batch that fails, and leaves no tensors behind", async () => {
    await expectTensors(0, async () => {
      const known = { context: shots, continuation: " two" };
      const bad = [{ context: [...tokenizer.encode(shots)], continuation: [1, 999, 1] }];
      await expect(using().logLikelihood([known, ...bad])).rejects.toMatchObject({ code: "DATA_INVALID" });
      const stop = new AbortController();
      const stopped = using().generate([{ prompt: "a" }], {
        signal: stop.signal,
        onText: () => stop.abort(new Error("enough")),
        maxNewTokens: 40,
      });
      await expect(stopped).rejects.toThrow("enough");
    });
  });
});

describe("a model of a table", () => {
  test("takes no number for a token that is none, though an array of integers would", async () => {
    const model = new TfLanguageModel(new BigramModel(), tokenizer);
    for (const wrong of [97.5, 2 ** 32 + 97, -1, 259, Number.NaN]) {
      const refused = { code: "DATA_INVALID", message: expect.stringContaining(`Token ${wrong} in row 0`) };
      await expect(model.forward([[97, wrong]])).rejects.toMatchObject(refused);
      await expect(model.logLikelihood([{ context: [97, wrong], continuation: [98] }])).rejects.toMatchObject(
        refused,
      );
      await expect(model.generate([{ prompt: [97, wrong] }])).rejects.toMatchObject(refused);
    }
  });

  test("does not take a tokenizer with more tokens than it has", () => {
    const model = new BigramModel();
    const larger = { ...tokenizer, vocabularySize: 260 };
    expect(() => new TfLanguageModel(model, larger)).toThrow("The tokenizer has 260 tokens");
    model.dispose();
  });

  test("takes up a prompt that waits when an answer has ended", async () => {
    const model = new BigramModel();
    const read: number[][] = [];
    const hiddenStates = model.hiddenStates.bind(model);
    model.hiddenStates = (tokens, options) => {
      read.push([...tokens.shape]);
      return hiddenStates(tokens, options);
    };
    // The longest of them, 2 + 4 tokens, has room twice.
    const language = new TfLanguageModel(model, tokenizer, { keptTokens: 12 });
    const requests = ["a", "b", "c"].map((prompt, index) => ({ prompt, maxNewTokens: index === 0 ? 4 : 2 }));
    const answers = await language.generate(requests);
    expect(answers.map(({ text }) => text)).toEqual(["bcab", "ca", "ab"]);
    expect(read).toEqual([
      [2, 2],
      [2, 1],
      [1, 2],
      [2, 1],
      [1, 1],
    ]);
    model.dispose();
  });

  test("whose numbers are none says so", async () => {
    const model = new BigramModel();
    const weights = model.weights();
    weights.get("table")!.data.fill(Number.NaN);
    model.loadWeights(weights);
    const language = new TfLanguageModel(model, tokenizer);
    const refused = { code: "WEIGHTS_INVALID", message: expect.stringContaining("not finite") };
    await expect(language.logLikelihood([{ context: "a", continuation: "b" }])).rejects.toMatchObject(
      refused,
    );
    await expect(language.generate([{ prompt: "a" }])).rejects.toMatchObject(refused);
    model.dispose();
  });
});

/** Log probability of the last `count` tokens, computed from `forwardTokens` in double precision. */
function logOf(model: CausalModel, tokens: readonly number[], count: number): number {
  const size = model.vocabularySize;
  const logits = tf.tidy(() =>
    model
      .forwardTokens(tf.tensor2d([tokens.slice(0, -1)], undefined, "int32"), { training: false })
      .dataSync(),
  );
  let sum = 0;
  for (let place = tokens.length - count; place < tokens.length; place++) {
    const row = [...logits.slice((place - 1) * size, place * size)];
    const total = row.reduce((all, value) => all + Math.exp(value), 0);
    sum += row[tokens[place]!]! - Math.log(total);
  }
  return sum;
}
