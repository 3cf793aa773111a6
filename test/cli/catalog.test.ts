import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("catalog");
const counting = fileURLToPath(new URL("../e2e/fixtures/countingEvaluators.mjs", import.meta.url));
writeFileSync(join(folder, "loud.mjs"), `console.log("loaded"); process.stdout.write("still loading\\n");\n`);

describe("list", () => {
  it.each([
    ["evaluators", ["classification", "lighteval", "nanochat_core", "regression"]],
    ["presets", ["small_choices", "small_letters", "small_texts", "smollm_round_fast"]],
    ["models", ["custom", "lenet5", "multilayer"]],
    ["datasources", ["HuggingFace", "custom", "digits", "jsonl", "nanochat", "speeches", "text"]],
    ["samplers", ["all_inclusive", "iid", "natural", "noniid"]],
    ["algorithms", ["fedavg"]],
    ["trainers", ["basic", "composable"]],
  ])("shows %s by name, each with a line on it", async (kind, names) => {
    const [plain, json] = await Promise.all([
      elenchus(["list", kind], folder),
      elenchus(["list", kind, "--json"], folder),
    ]);
    expect([plain.status, json.status, plain.stderr, json.stderr]).toEqual([0, 0, "", ""]);
    const entries: { name: string; description: string }[] = JSON.parse(json.stdout);
    const listed = entries.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(names));
    expect(listed).toEqual([...listed].sort());
    for (const { name, description } of entries) {
      expect(description).not.toBe("");
      const line = plain.stdout.split("\n").find((text) => text.startsWith(`${name} `));
      expect(line?.endsWith(description)).toBe(true);
    }
  });

  it("knows what modules register, and keeps what they print off standard output", async () => {
    const words = ["list", "evaluators", "--json", "--import", "loud.mjs", "--import", counting];
    const { stdout, stderr } = await elenchus(words, folder);
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toContain("counter");
    expect(stderr).toBe("loaded\nstill loading\n");
  });
});

describe("schema", () => {
  it("is a JSON Schema of the configuration, with the evaluators of modules", async () => {
    const { status, stdout, stderr } = await elenchus(["schema", "--import", counting], folder);
    expect([status, stderr]).toEqual([0, ""]);
    const schema = JSON.parse(stdout);
    expect(schema.$schema).toMatch(/json-schema\.org/);
    expect(schema.properties.trainer.properties.rounds).toMatchObject({ type: "integer" });
    expect(JSON.stringify(schema.properties.evaluation)).toContain('"counter"');
    const compact = await elenchus(["--json", "schema", "--import", counting], folder);
    expect(compact.stdout.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(compact.stdout)).toEqual(schema);
  });
});
