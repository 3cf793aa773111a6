import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLogger, createRandom, silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { LocalLanguageModel, languageModelOf } from "../../src/language/index.js";
import { INSTALL_LINE, OnnxLanguageModel } from "../../src/language/onnx/index.js";
import { TfLanguageModel } from "../../src/language/tensorflow/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { tokenizer } from "./bigram.js";
import { BigramModel } from "./bigramModel.js";

let model: CausalModel;
beforeAll(async () => {
  await loadBackend("cpu", { logger: silentLogger });
  model = await gpt();
});
afterAll(() => model.dispose());

async function gpt(): Promise<CausalModel> {
  const parameters = { n_layer: 1, n_head: 1, n_embd: 8, block_size: 8 };
  const request = { inputShape: [8], classes: 259, parameters, random: createRandom(1) };
  return (await createModel({ model_name: "gpt" }, request)) as CausalModel;
}

const absent = async (name: string): Promise<never> => {
  throw Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" });
};
const listening = () => {
  const lines: string[] = [];
  return { lines, logger: createLogger("info", (line) => void lines.push(line)) };
};

describe("what computes language models", () => {
  test("is onnxruntime where it is installed", async () => {
    const { lines, logger } = listening();
    for (const options of [{}, { engine: "auto", logger }, { engine: "onnx", threads: 2 }] as const) {
      const language = await languageModelOf(model, tokenizer, options);
      expect(language).toBeInstanceOf(OnnxLanguageModel);
      await (language as OnnxLanguageModel).dispose();
    }
    expect(lines).toEqual([]);
  });

  test("is TensorFlow.js where it is not, which is said once", async () => {
    const { lines, logger } = listening();
    for (let round = 0; round < 3; round++) {
      const language = await languageModelOf(model, tokenizer, { importer: absent, logger });
      expect(language).toBeInstanceOf(TfLanguageModel);
    }
    expect(lines).toEqual([expect.stringContaining("Cannot find package 'onnxruntime-node'")]);
  });

  test("is what is asked for, or an error that says how to get it", async () => {
    const forced = await languageModelOf(model, tokenizer, { engine: "tensorflow" });
    expect(forced).toBeInstanceOf(TfLanguageModel);
    expect(INSTALL_LINE).toContain("--onnxruntime-node-install=skip");
    for (const importer of [absent, async () => ({ default: {} })]) {
      await expect(languageModelOf(model, tokenizer, { engine: "onnx", importer })).rejects.toMatchObject({
        code: "BACKEND_UNAVAILABLE",
        message: expect.stringContaining(INSTALL_LINE),
      });
    }
  });

  test("is TensorFlow.js for a model that onnxruntime cannot compute", async () => {
    const own = new BigramModel();
    const { lines, logger } = listening();
    expect(await languageModelOf(own, tokenizer, { logger })).toBeInstanceOf(TfLanguageModel);
    expect(lines).toEqual([expect.stringContaining("bigram cannot be computed by onnxruntime")]);
    await expect(languageModelOf(own, tokenizer, { engine: "onnx" })).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
    own.dispose();
  });

  test("takes no tokenizer with more tokens than the model has", async () => {
    const larger = { ...tokenizer, vocabularySize: 260 };
    for (const engine of ["auto", "onnx", "tensorflow"] as const) {
      await expect(languageModelOf(model, larger, { engine })).rejects.toMatchObject({
        code: "DATA_INVALID",
      });
    }
  });
});

test.each(["onnx", "tensorflow"] as const)("a model that is gone says so, computed by %s", async (engine) => {
  const own = await gpt();
  const language = await languageModelOf(own, tokenizer, { engine });
  const local = new LocalLanguageModel(own, language);
  expect(await local.logLikelihood([{ context: "a", continuation: "b" }])).toHaveLength(1);
  await local.dispose();
  await local.dispose();
  const gone = { code: "USAGE", message: expect.stringContaining("has been disposed of") };
  await expect(local.logLikelihood([{ context: "a", continuation: "b" }])).rejects.toMatchObject(gone);
  await expect(local.rollingLogLikelihood(["ab"])).rejects.toMatchObject(gone);
  await expect(local.generate([{ prompt: "a" }])).rejects.toMatchObject(gone);
  await expect(local.forward([[97]])).rejects.toMatchObject(gone);
});
