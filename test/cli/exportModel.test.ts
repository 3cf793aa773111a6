import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger, createRandom, silentLogger } from "../../src/base/index.js";
import { exportModel } from "../../src/cli/exportModel.js";
import type { Config } from "../../src/config/index.js";
import { createModel } from "../../src/models/index.js";
import "../support/cpuTensors.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-export-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What is logged where a new model of that name is written. */
async function logged(model_name: string, model: Record<string, unknown>): Promise<string> {
  const trainer = { model_name, random_seed: 1, backend: "cpu" };
  const data = { inputShape: [4], classes: 20, tokenizer: undefined, tokenizerFolder: undefined };
  const made = await createModel(trainer, { ...data, parameters: model, random: createRandom(1, "model") });
  const lines: string[] = [];
  await exportModel({
    config: { trainer, parameters: { model } } as unknown as Config,
    data,
    weights: made.weights(),
    folder: join(folder, model_name),
    logger: createLogger("warn", (line) => lines.push(line)),
  });
  made.dispose();
  return lines.join("\n");
}

it("is not written over what the run began with", async () => {
  const trainer = { model_name: folder, model_type: "huggingface", random_seed: 1, backend: "cpu" };
  const request = {
    config: { trainer, parameters: {} } as unknown as Config,
    data: { inputShape: [4], classes: 20, tokenizer: undefined, tokenizerFolder: undefined },
    weights: new Map(),
    folder: join(folder, "..", basename(folder)),
    logger: silentLogger,
  };
  const refused = { code: "PATH_UNWRITABLE", message: expect.stringContaining("Give another folder") };
  await expect(exportModel(request)).rejects.toMatchObject(refused);
  const other = { ...trainer, model_name: "gpt", model_type: undefined };
  await expect(
    exportModel({
      ...request,
      config: { trainer: other, parameters: {} } as unknown as Config,
      data: { ...request.data, tokenizerFolder: folder },
    }),
  ).rejects.toMatchObject(refused);
});

it("says of a nanochat that only Elenchus loads it, and nothing of a GPT-2", async () => {
  expect(
    await logged("nanochat", { sequence_len: 8, n_layer: 1, n_head: 2, n_kv_head: 2, n_embd: 32 }),
  ).toMatch(/What transformers calls nanochat is an older network/);
  expect(await logged("gpt", { n_layer: 1, n_head: 1, n_embd: 4, block_size: 8 })).toBe("");
});
