import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { checkConfig } from "../../src/config/index.js";
import { trainers } from "../../src/trainers/index.js";

const fileOf = (name: string) => fileURLToPath(new URL(`../../configs/${name}`, import.meta.url));

/** A configuration that runs, with changes. */
function check(name: string, ...set: string[]) {
  const text = readFileSync(fileOf(name), "utf8");
  return checkConfig({ text, file: name }, buildCatalog(), { set });
}
/** `key: what was expected` of each fault. */
const faults = (...set: string[]) =>
  check("speeches.toml", ...set).errors.map(({ key, code, expected }) => `${code} ${key}: ${expected}`);

describe("the configuration of a language model", () => {
  test("has a trainer, a model and data that all work on tokens", () => {
    expect(faults()).toEqual([]);
    expect(faults("trainer.type=basic", 'results.types="round, accuracy"')).toEqual([
      expect.stringMatching(
        /^CONFIG_CONFLICT trainer\.type: another trainer \(HuggingFace, gpt.*\) than "basic", which does not/,
      ),
    ]);
    expect(faults("trainer.model_name=lenet5", "parameters.model={}")).toEqual([
      expect.stringMatching(/^CONFIG_CONFLICT trainer\.model_name: another model \(.*gpt2.*\) than "lenet5"/),
    ]);
    expect(faults("data.datasource=digits")[0]).toMatch(
      /^CONFIG_CONFLICT data\.datasource: another data source \(.*speeches.*\) than "digits"/,
    );
  });

  test("leaves a trainer of the user's own alone, which may do anything", () => {
    trainers.register("mine", () => {
      throw new Error("never made");
    });
    const errors = faults("trainer.type=mine", 'results.types="round, accuracy"');
    trainers.unregister("mine");
    expect(errors).toEqual([]);
  });

  test("has one target, which its test can reach", () => {
    expect(faults("trainer.target_perplexity=20")).toEqual([]);
    expect(faults("trainer.target_accuracy=20")).toEqual([]);
    expect(faults("trainer.target_perplexity=20", "trainer.target_accuracy=20")).toEqual([
      expect.stringMatching(/^CONFIG_CONFLICT trainer\.target_accuracy: one target/),
    ]);
    const images = check("quickstart.toml", "trainer.target_perplexity=20").errors;
    expect(images.map(({ key }) => key)).toEqual(["trainer.target_perplexity"]);
    expect(images[0]!.expected).toMatch(/"basic", which tests by accuracy/);
  });

  test("has cross entropy as its loss", () => {
    expect(faults("trainer.loss_criterion=MSELoss")).toEqual([
      expect.stringMatching(/^CONFIG_CONFLICT trainer\.loss_criterion: "CrossEntropyLoss"/),
    ]);
  });

  test("knows what is not supported of Plato's keys, and takes the values that ask for nothing", () => {
    expect(faults("trainer.bf16=false", "trainer.fp16=false", "trainer.model_dtype=float32")).toEqual([]);
    for (const set of ["trainer.bf16=true", "trainer.model_dtype=bfloat16", "trainer.framework=mlx"]) {
      expect(faults(set)).toEqual([expect.stringMatching(/^CONFIG_UNSUPPORTED trainer\./)]);
    }
    const { errors } = check("speeches.toml", "trainer.max_grad_norm=1");
    expect(errors).toMatchObject([{ code: "CONFIG_UNKNOWN_KEY", suggestion: "clip_grad_norm" }]);
    const warm = check("speeches.toml", "trainer.warmup_steps=1").errors;
    expect(warm).toMatchObject([{ suggestion: "parameters.learning_rate.warmup_steps" }]);
  });

  test("of HuggingFace is that of a published model, unless another kind is named", () => {
    const published = check("smollm2.toml");
    expect(published.errors).toEqual([]);
    expect(published.warnings).toEqual([]);
    const file = readFileSync(fileOf("smollm2.toml"), "utf8").replace(/^model_type.*$/m, "");
    const { config } = checkConfig({ text: file }, buildCatalog());
    expect(config!.trainer.model_type).toBe("huggingface");
    const scratch = check("smollm2.toml", "trainer.model_type=llama", "trainer.model_revision=main");
    expect(scratch.warnings.map(({ key }) => key)).toEqual(["trainer.model_revision"]);
  });
});
