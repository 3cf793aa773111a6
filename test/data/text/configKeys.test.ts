import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../src/cli/catalog.js";
import { type CheckOptions, checkConfig, jsonSchema } from "../../../src/config/index.js";

const BASE = `
[clients]
total_clients = 2
per_round = 2
[server]
[data]
datasource = "HuggingFace"
sampler = "natural"
dataset_name = "owner/name"
dataset_config = "all"
train_split = "train[:2000]"
validation_split = "test"
preprocessing_mode = "chat_sft"
messages_field = "messages"
label_strategy = "assistant_only"
max_seq_length = 512
pack_sequences = true
[trainer]
type = "gpt"
model_name = "gpt"
tokenizer_name = "owner/tokenizer"
tokenizer_revision = "main"
rounds = 1
epochs = 1
batch_size = 2
optimizer = "SGD"
[parameters.model]
block_size = 512
[algorithm]
type = "fedavg"
`;

function check(set: readonly string[] = []) {
  const options: CheckOptions = { set: [...set] };
  return checkConfig({ text: BASE }, buildCatalog(), options);
}

/** Keys at fault with what was expected. */
const faults = (set: readonly string[]) => check(set).errors.map(({ key, code }) => [key, code]);

describe("the configuration of text", () => {
  test("takes Plato's keys, with their defaults", () => {
    const { errors, config } = check();
    expect(errors).toEqual([]);
    expect(config!.data).toMatchObject({
      dataset_name: "owner/name",
      max_seq_length: 512,
      pack_sequences: true,
      text_field: "text",
      vocab_size: 1024,
      validation_fraction: 0.1,
    });
    expect(config!.trainer).toMatchObject({ tokenizer_name: "owner/tokenizer", tokenizer_revision: "main" });
  });

  test("says before round 1 what does not fit", () => {
    expect(faults(["parameters.model.block_size=128"])).toEqual([["data.max_seq_length", "CONFIG_CONFLICT"]]);
    expect(faults(["trainer.tokenizer_name=byte"])).toEqual([
      ["trainer.tokenizer_revision", "CONFIG_CONFLICT"],
    ]);
    expect(faults(["data.label_strategy=some"])).toEqual([["data.label_strategy", "CONFIG_VALUE"]]);
    expect(faults(["data.dataset_nam=x"])).toEqual([["data.dataset_nam", "CONFIG_UNKNOWN_KEY"]]);
    expect(faults(["data.datasource=text"])).toEqual([["data.train_path", "CONFIG_MISSING_KEY"]]);
  });

  test("takes one path or several, always as a list", () => {
    const paths = (value: string) =>
      (check(["data.datasource=text", `data.train_path=${value}`]).config!.data as Record<string, unknown>)
        .train_path;
    expect(paths('"books"')).toEqual(["books"]);
    expect(paths('["a.txt", "b.txt"]')).toEqual(["a.txt", "b.txt"]);
  });

  test("keys of text beside other data have no effect, and the schema for editors knows them", () => {
    const images = check([
      ...["data.datasource=digits", "data.sampler=iid", "trainer.type=basic", "trainer.model_name=lenet5"],
      "parameters.model={}",
    ]);
    expect(images.errors).toEqual([]);
    expect(images.warnings.map(({ key, code }) => `${key} ${code}`)).toContain(
      "trainer.tokenizer_name CONFIG_NO_EFFECT",
    );
    expect(jsonSchema(buildCatalog())).toMatchObject({
      properties: {
        trainer: { properties: { tokenizer_name: { type: "string" } } },
        data: { properties: { max_seq_length: { type: "integer" } } },
      },
    });
  });
});
