import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { VariableCausalModel } from "../../../src/models/causal/variableCausalModel.js";
import { loadAdapter, loadPretrained, saveAdapter, savePretrained } from "../../../src/models/kit.js";
import { readSafetensors } from "../../../src/weights/index.js";
import { distance, type Golden, nextTokenLoss, readGolden } from "../golden.js";

export const LORA_GOLDENS = ["lora-llama", "lora-gpt2", "lora-all-linear", "lora-layers", "lora-pattern"];
const TOLERANCE = 1e-4;
const GRADIENT_TOLERANCE = 1e-5;

/** Demands of the back end in use that adapters compute what peft's do. */
export function loraGoldenSuite(): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "elenchus-lora-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe.each(LORA_GOLDENS)("%s", (name) => {
    let golden: Golden;
    let model: VariableCausalModel;
    let base: string;
    beforeAll(async () => {
      golden = await readGolden(name);
      const facts = await readFile(join(golden.folder, "golden.json"), "utf8");
      base = join(golden.folder, "..", z.object({ base: z.string() }).parse(JSON.parse(facts)).base);
      model = (await loadPretrained(base, "base")) as VariableCausalModel;
      await loadAdapter(model, golden.folder);
    });
    afterAll(() => model.dispose());

    test("gives peft's logits, adapted and merged", async () => {
      expect(distance(logitsOf(model, golden), golden.logits)).toBeLessThan(TOLERANCE);
      const saved = await mkdtemp(join(folder, "merged-"));
      await savePretrained(model, saved);
      const merged = await loadPretrained(saved);
      const { arrays } = await readSafetensors(join(golden.folder, "golden.safetensors"));
      const expected = arrays.get("merged logits")!.data;
      expect(distance(logitsOf(merged, golden), expected)).toBeLessThan(TOLERANCE);
      expect([...merged.variables.keys()].sort()).toEqual(
        [...(await loadPretrained(base)).variables.keys()].sort(),
      );
      merged.dispose();
    });

    test("gives peft's gradients of A and B, and has gradients of nothing else", () => {
      tf.tidy(() => {
        const tokens = tf.tensor2d(golden.tokens as number[][], undefined, "int32");
        const { grads } = tf.variableGrads(
          () => nextTokenLoss(model.forwardTokens(tokens, { training: false }), tokens),
          [...model.variables.values()],
        );
        expect([...model.variables.keys()].sort()).toEqual([...golden.gradients.keys()].sort());
        for (const [weight, { shape, data }] of golden.gradients) {
          const gradient = grads[model.variables.get(weight)!.name]!;
          expect(gradient.shape, weight).toEqual(shape);
          expect(distance(gradient.dataSync(), data), weight).toBeLessThan(GRADIENT_TOLERANCE);
        }
      });
    });

    test("is written as it was read", async () => {
      const saved = await mkdtemp(join(folder, "adapter-"));
      await saveAdapter(model, saved);
      const file = "adapter_model.safetensors";
      const [written, read] = await Promise.all(
        [saved, golden.folder].map((place) => readSafetensors(join(place, file))),
      );
      expect([...written!.arrays].sort(byName)).toEqual([...read!.arrays].sort(byName));
      expect([...written!.metadata]).toEqual([["format", "pt"]]);
      const again = (await loadPretrained(base)) as VariableCausalModel;
      await loadAdapter(again, saved);
      expect(again.weights()).toEqual(model.weights());
      expect(again.lora).toEqual(model.lora);
      again.dispose();
    });
  });
}

function logitsOf(
  model: VariableCausalModel | Awaited<ReturnType<typeof loadPretrained>>,
  { tokens }: Golden,
) {
  return tf.tidy(() =>
    model
      .forwardTokens(tf.tensor2d(tokens as number[][], undefined, "int32"), { training: false })
      .dataSync(),
  );
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
