import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("nanochat");
const config = fileURLToPath(new URL("../../configs/nanochat.toml", import.meta.url));

/** The configuration that ships, so small that it is over in seconds. */
const SMALL = [
  "data.train_rows=120",
  "data.test_rows=20",
  "data.vocab_size=300",
  "trainer.rounds=3",
  "trainer.gradient_checkpointing=true",
  "parameters.model.sequence_len=48",
  "parameters.model.vocab_size=300",
  "parameters.model.n_head=2",
  "parameters.model.n_kv_head=1",
  "parameters.model.n_embd=32",
];

describe("configs/nanochat.toml", () => {
  it("is right as it stands", async () => {
    expect(await elenchus(["check", config], folder, 60)).toMatchObject({ status: 0 });
  });

  it("trains a small nanochat round by round, the same with the same seed", {
    timeout: 120_000,
  }, async () => {
    const [first, second] = [await rounds("first"), await rounds("second")];
    const perplexities = first.map(({ perplexity }) => Number(perplexity));
    expect(perplexities).toHaveLength(3);
    // A model that knows nothing is at the size of its vocabulary.
    expect(perplexities[0]).toBeLessThan(300);
    expect(perplexities[1]).toBeLessThan(perplexities[0]!);
    expect(perplexities[2]).toBeLessThan(perplexities[1]!);
    expect(second).toEqual(first);
  });
});

/** The rows of a run without its times. */
async function rounds(id: string): Promise<Record<string, string>[]> {
  const settings = SMALL.flatMap((setting) => ["--set", setting]);
  const { status, stdout, stderr } = await elenchus(
    ["run", config, "--json", "--run-id", id, ...settings],
    folder,
    110,
  );
  expect(stderr).not.toMatch(/warn|error/);
  expect(status).toBe(0);
  const rows: Record<string, string>[] = parse(readFileSync(JSON.parse(stdout).csv), { columns: true });
  return rows.map(({ elapsed_time: _, ...row }) => row);
}
