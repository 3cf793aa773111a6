import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/cli/catalog.js";
import { checkConfig, jsonSchema } from "../../src/config/index.js";

const toml = (lora: string, { model = "gpt", algorithm = "fedavg" } = {}) => `[clients]
total_clients = 2
per_round = 2
[data]
datasource = "nanochat"
sampler = "iid"
partition_size = 8
[trainer]
type = "gpt"
model_name = "${model}"
rounds = 1
epochs = 1
batch_size = 2
optimizer = "AdamW"
[algorithm]
type = "${algorithm}"
${lora}`;
const check = (lora: string, more: Parameters<typeof toml>[1] = {}) =>
  checkConfig({ text: toml(lora, more), file: "a.toml" }, buildCatalog());
const table = (...lines: string[]) => ["[parameters.lora]", ...lines].join("\n");

describe("[parameters.lora]", () => {
  it("takes what Plato passes to peft, and fills in peft's defaults", () => {
    const plato = table(
      "r = 4",
      "lora_alpha = 8",
      'target_modules = ["q_proj", "v_proj"]',
      "lora_dropout = 0.0",
      'bias = "none"',
      'task_type = "CAUSAL_LM"',
    );
    const { errors, warnings, config } = check(plato, { algorithm: "fedavg_lora" });
    expect([errors, warnings]).toEqual([[], []]);
    expect(config!.parameters.lora).toEqual({
      r: 4,
      lora_alpha: 8,
      lora_dropout: 0,
      target_modules: ["q_proj", "v_proj"],
      rank_pattern: {},
      alpha_pattern: {},
      use_rslora: false,
      init_lora_weights: true,
      bias: "none",
      task_type: "CAUSAL_LM",
    });
    expect(check(table()).config!.parameters.lora).toMatchObject({ r: 8, lora_alpha: 8, lora_dropout: 0 });
    expect(check("").config!.parameters.lora).toBeUndefined();
  });

  it("is needed by fedavg_lora", () => {
    expect(check("", { algorithm: "fedavg_lora" }).errors).toMatchObject([
      { code: "CONFIG_MISSING_KEY", key: "parameters.lora" },
    ]);
  });

  it.each<[string, string, string, string]>([
    ["r = 0", "r", "CONFIG_VALUE", "a positive integer"],
    ["lora_dropout = 1.0", "lora_dropout", "CONFIG_VALUE", "a number of at least 0 and below 1"],
    [
      "target_modules = []",
      "target_modules",
      "CONFIG_VALUE",
      "a non-empty string or a non-empty list of strings",
    ],
    ['target_modules = "("', "target_modules", "CONFIG_VALUE", "a list of names, or a regular expression"],
    [
      'rank_pattern = { "[" = 2 }',
      "rank_pattern",
      "CONFIG_VALUE",
      'regular expressions as keys; "[" is none',
    ],
    ['bias = "all"', "bias", "CONFIG_VALUE", '"none"'],
    [
      "layers_to_transform = 1\ntarget_modules = 'all-linear'",
      "layers_to_transform",
      "CONFIG_VALUE",
      "none, or target_modules as a list of names",
    ],
    ['layers_pattern = "h"', "layers_pattern", "CONFIG_VALUE", "none, or layers_to_transform beside it"],
    ["rank = 8", "rank", "CONFIG_UNKNOWN_KEY", "an option of [parameters.lora]: r, lora_alpha"],
    ["use_dora = true", "use_dora", "CONFIG_UNKNOWN_KEY", "an option of [parameters.lora]"],
  ])("with %s is refused at that line", (line, key, code, expected) => {
    expect(check(table(line)).errors).toMatchObject([
      { code, key: `parameters.lora.${key}`, line: 18, expected: expect.stringContaining(expected) },
    ]);
  });

  it("is refused by a model that is no language model", () => {
    expect(check(table(), { model: "multilayer" }).errors).toContainEqual(
      expect.objectContaining({ code: "CONFIG_CONFLICT", key: "parameters.lora" }),
    );
  });

  it("stands in the schema for editors", () => {
    const { properties } = jsonSchema(buildCatalog()) as { properties: Record<string, never> };
    const { parameters, trainer } = properties as unknown as Record<
      "parameters" | "trainer",
      { properties: Record<string, { properties: object }> }
    >;
    expect(Object.keys(parameters.properties.lora!.properties)).toEqual(
      expect.arrayContaining(["r", "lora_alpha", "target_modules", "use_rslora"]),
    );
    expect(trainer.properties).toHaveProperty("trainable");
  });
});

describe("trainer.trainable", () => {
  it("is one pattern or a list", () => {
    const trainable = (value: string) =>
      checkConfig({ text: toml("") }, buildCatalog(), { set: [`trainer.trainable=${value}`] });
    expect(trainable('"*.lora_B"').config!.trainer.trainable).toBe("*.lora_B");
    expect(trainable('["a", "!b"]').config!.trainer.trainable).toEqual(["a", "!b"]);
    expect(trainable("[]").errors).toMatchObject([{ code: "CONFIG_VALUE", key: "trainer.trainable" }]);
  });
});
