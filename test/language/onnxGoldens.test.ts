import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadOnnxRuntime, OnnxLanguageModel } from "../../src/language/onnx/index.js";
import { loadPretrained } from "../../src/models/huggingFace/pretrained.js";
import type { CausalModel } from "../../src/models/index.js";
import { distance, type Golden, readGolden } from "../models/golden.js";
import { GOLDENS } from "../models/suites/goldenSuite.js";
import { tokenizer } from "./bigram.js";
import "../support/cpuTensors.js";

const TOLERANCE = 1e-4;

describe.each(GOLDENS)("%s in onnxruntime", (name) => {
  let golden: Golden;
  let model: CausalModel;
  let language: OnnxLanguageModel;
  beforeAll(async () => {
    golden = await readGolden(name);
    model = await loadPretrained(golden.folder, name);
    // Tokens are given as such: only their number counts.
    const few = { ...tokenizer, vocabularySize: model.vocabularySize };
    language = new OnnxLanguageModel(await loadOnnxRuntime(), model, few);
  });
  afterAll(async () => {
    await language.dispose();
    model.dispose();
  });

  test("gives the reference's logits", async () => {
    const rows = await language.forward(golden.tokens);
    const size = golden.logits.length / golden.tokens.length;
    rows.forEach(({ data }, row) => {
      const expected = golden.logits.subarray(row * size, (row + 1) * size);
      if (process.env.GOLDEN_DISTANCES) console.log(`onnx ${name} ${distance(data, expected)}`);
      expect(distance(data, expected)).toBeLessThan(TOLERANCE);
    });
  });

  test("goes on as the reference does", async () => {
    const prompts = golden.tokens.map((row) => ({ prompt: row.slice(0, row.length / 2) }));
    const options = { maxNewTokens: golden.greedy[0]!.length, maxLength: 1024, stopTokens: [] };
    const answers = await language.generate(prompts, options);
    expect(answers.map(({ tokens }) => tokens)).toEqual(golden.greedy);
  });
});
