import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { type LanguageModel, languageModelOf } from "../../src/language/index.js";
import { loadPretrained } from "../../src/models/huggingFace/pretrained.js";
import { createRowLoader, resolveTask, type Task, type TaskRows } from "../../src/tasks/index.js";
import { loadTokenizer } from "../../src/tokenizers/index.js";

/** The weights that other systems have scored, and the rows that they have scored them with. */
export interface TinyLlama {
  /** With its byte-level tokenizer, and with one that puts a begin token and a blank in front of each text. */
  readonly models: Readonly<Record<"bytes" | "metaspace", LanguageModel>>;
  load(name: string, shots: number): Promise<{ task: Task; rows: TaskRows }>;
  dispose(): void;
}

/** @param dataDir folder of the reference's rows */
export async function tinyLlama(dataDir: string): Promise<TinyLlama> {
  const folder = fileURLToPath(new URL("goldens/tinyLlama", import.meta.url));
  await loadBackend("wasm", { logger: silentLogger });
  const model = await loadPretrained(folder, folder);
  const withTokenizer = async (name: string) =>
    await languageModelOf(model, await loadTokenizer(`${folder}/${name}`));
  const models = { bytes: await withTokenizer("bytes"), metaspace: await withTokenizer("metaspace") };
  const loader = await createRowLoader({
    dataDir,
    sources: fileURLToPath(new URL("sources.json", import.meta.url)),
  });
  return {
    models,
    async load(name, shots) {
      const { task } = resolveTask(name).tasks[0]!;
      const { rows } = await loader.load(task, shots > 0);
      return { task, rows };
    },
    dispose: () => model.dispose(),
  };
}

/** To five digits: a perplexity is the power of a number that differs in the seventh. */
export function expectClose(actual: number | undefined, expected: number | undefined, key: string): void {
  expect(Math.abs(actual! - expected!), `${key} is ${actual} and not ${expected}`).toBeLessThanOrEqual(
    1e-4 * Math.abs(expected!),
  );
}
