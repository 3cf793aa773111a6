import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("check");
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const check = async (...words: string[]) => {
  const { status, stdout, stderr } = await elenchus(["check", ...words, "--json"], folder);
  return { status, stderr, document: JSON.parse(stdout) };
};

write("good.toml", smallConfig('[evaluation]\ntype = "classification"\n'));
write(
  "bad.toml",
  `[clients]
total_clients = 4
per_round = 9

[server]
prot = 1
do_test = "no"
periodic_interval = 5

[data]
datasource = "digit"
sampler = "iid"
partition_size = 64

[trainer]
type = "basic"
model_name = "multilayer"
rounds = 0
epochs = 1
optimizer = "SGD"

[parameters.optimizer]
lr = 0.1

[algorithm]
type = "fedavg"

[evaluation]
type = "classification"
primary_metric = "acuracy"
`,
);

describe("check", () => {
  it("prints the resolved configuration, every default filled in, and starts nothing", async () => {
    const { status, stdout, stderr } = await elenchus(["check", "good.toml"], folder);
    expect([status, stderr]).toEqual([0, ""]);
    const config = JSON.parse(stdout);
    expect(config).toMatchObject({
      clients: { total_clients: 4, random_seed: 1 },
      server: { port: 0, round_deadline: 3600, connect_deadline: 60 },
      trainer: { rounds: 2, backend: "auto" },
      evaluation: { type: "classification", name: "classification", every: 1, timeout: 3600 },
      results: { types: ["round", "accuracy", "elapsed_time"] },
    });
    expect(existsSync(join(folder, "runtime", "results"))).toBe(false);
    expect(await check("good.toml")).toEqual({
      status: 0,
      stderr: "",
      document: { ok: true, errors: [], config },
    });
  });

  it("reports every error at once, each with file, line, key, value, expectation and what is near", async () => {
    const { status, stderr, document } = await check("bad.toml");
    expect(status).toBe(2);
    expect(document).toMatchObject({ ok: false, config: null });
    const file = "bad.toml";
    const found = [
      { code: "CONFIG_CONFLICT", file, line: 3, key: "clients.per_round", value: 9, suggestion: null },
      { code: "CONFIG_UNKNOWN_KEY", file, line: 6, key: "server.prot", value: 1, suggestion: "port" },
      { code: "CONFIG_VALUE", file, line: 7, key: "server.do_test", value: "no", suggestion: null },
      { code: "CONFIG_UNSUPPORTED", file, line: 8, key: "server.periodic_interval", value: 5 },
      { code: "NAME_UNKNOWN", file, line: 11, key: "data.datasource", value: "digit", suggestion: "digits" },
      { code: "CONFIG_VALUE", file, line: 18, key: "trainer.rounds", value: 0, suggestion: null },
      { code: "CONFIG_MISSING_KEY", file, key: "trainer.batch_size", value: null, suggestion: null },
      { code: "EVALUATION_CONFIG", file, line: 30, key: "evaluation.primary_metric", suggestion: "accuracy" },
    ];
    for (const error of found) {
      expect(document.errors).toContainEqual({
        ...error,
        line: "line" in error ? error.line : expect.toSatisfy((line) => line === null || line > 0),
        value: "value" in error ? error.value : "acuracy",
        expected: expect.any(String),
        suggestion: error.suggestion ?? null,
      });
    }
    expect(document.errors).toHaveLength(found.length);
    expect(stderr).toMatch(/^error \[CONFIG_INVALID\]: The configuration has 8 errors/);
    expect(stderr).toContain('bad.toml:6: server.prot = 1: unknown key. Did you mean "port"?');
  });

  it.each([
    ["none.toml", null, /no such file/],
    ["torn.toml", 2, /not TOML/],
    ["circle.toml", 1, /circular|includes itself/i],
  ])("says why a file cannot be read: %s", async (file, line, expected) => {
    write("torn.toml", "a = [\n");
    write("circle.toml", 'include = "circle.toml"\n');
    const { status, stderr, document } = await check(file);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error \[CONFIG_UNREADABLE\]/);
    expect(document.errors).toMatchObject([
      { code: "CONFIG_UNREADABLE", file, expected: expect.stringMatching(expected) },
    ]);
    if (file === "torn.toml") expect(document.errors[0].line).toBe(line);
  });

  it("sees what only the data can tell", async () => {
    const { status, document } = await check("good.toml", "--set", "data.partition_size=2000");
    expect(status).toBe(2);
    expect(document.errors[0]).toMatchObject({ key: "data.partition_size", value: 2000 });
  });

  it("looks at the weights in a model's folder, and says what they lack in whole sentences", async () => {
    const sizes = {
      max_position_embeddings: 64,
      hidden_size: 4,
      intermediate_size: 4,
      num_hidden_layers: 1,
      num_attention_heads: 1,
    };
    mkdirSync(join(folder, "model"));
    write("model/config.json", JSON.stringify({ model_type: "llama", vocab_size: 300, ...sizes }));
    write("model/model.safetensors", "torn");
    const model = [
      'trainer.type="HuggingFace"',
      'trainer.model_name="model"',
      'trainer.tokenizer_name="byte"',
    ];
    const data = ['data.datasource="nanochat"', "data.train_rows=300", "data.test_rows=20"];
    const sets = [...model, ...data].flatMap((set) => ["--set", set]);
    const { status, stderr } = await elenchus(["check", "good.toml", ...sets], folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /trainer\.model_name = "model": \S+model\.safetensors, byte 4: the file ends here; .*the one before\.\n/,
    );
  });

  it("turns unknown and unsupported keys into warnings with --lenient, nothing else", async () => {
    const { document } = await check("bad.toml", "--lenient");
    const codes = document.errors.map(({ code }: { code: string }) => code);
    expect(codes).toHaveLength(6);
    expect(codes).not.toContain("CONFIG_UNKNOWN_KEY");
    expect(codes).not.toContain("CONFIG_UNSUPPORTED");
    const lenient = ["check", "good.toml", "--lenient", "--set", "server.prot=1"];
    const { status, stderr } = await elenchus(lenient, folder);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^warn: .*server\.prot = 1: unknown key/);
  });

  it("takes --set, --seed and --base into account, in that order of weight", async () => {
    const words = ["--seed", "7", "--base", "elsewhere", "--set", "data.random_seed=8"];
    const { document } = await check(
      ...["good.toml", ...words],
      ...["--set", "trainer.rounds=3", "--set", "general.project=a word", "--set", "evaluation.every=2"],
    );
    expect(document.config).toMatchObject({
      general: { base_path: "elsewhere", project: "a word" },
      clients: { random_seed: 7 },
      server: { random_seed: 7 },
      data: { random_seed: 8 },
      trainer: { random_seed: 7, rounds: 3 },
      evaluation: { every: 2 },
    });
    const { document: refused } = await check("good.toml", "--set", "trainer.rounds=0");
    expect(refused.errors).toMatchObject([{ file: "--set", line: null, key: "trainer.rounds", value: 0 }]);
  });

  it("never shows the token", async () => {
    const { status, stdout, stderr } = await elenchus(
      ["check", "good.toml", "--set", "server.token=hush-hush"],
      folder,
    );
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain("hush-hush");
  });

  it("draws who holds what into the file that --partition names", async () => {
    const drawn = await elenchus(["check", "good.toml", "--partition", "plots/who.svg"], folder);
    expect(drawn).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(folder, "plots/who.svg"), "utf8")).toMatch(/^<svg .*4 clients/s);
    const behind = await elenchus(["check", "--partition", "good.toml"], folder);
    expect(behind.status).toBe(0);
    expect(behind.stdout).toContain("training rows are held");
    const wrong = await elenchus(["check", "good.toml", "--partition", "who.pdf"], folder);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/error \[USAGE\]: --partition who\.pdf: .*ends in \.svg or \.png/);
    const none = await elenchus(["check"], folder);
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("check needs a configuration")]);
  });

  it("shows who holds what with --partition", async () => {
    const { stdout } = await elenchus(["check", "good.toml", "--partition"], folder);
    const table = stdout.split("\n").filter((line) => /^ +\d+ +64 /.test(line));
    expect(table).toHaveLength(4);
    for (const line of table) {
      const [, samples, ...classes] = line.trim().split(/ +/).map(Number);
      expect(classes).toHaveLength(10);
      expect(classes.reduce((sum, count) => sum + count, 0)).toBe(samples);
    }
    const { document } = await check("good.toml", "--partition");
    expect(document).toMatchObject({ ok: true, partition: expect.any(Object) });
  });
});
