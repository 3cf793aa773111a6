import { expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { createModel } from "../../src/models/index.js";
import { expectClose } from "../support/cpuTensors.js";

test("nanochat starts from the values that its description gives", async () => {
  const parameters = { n_layer: 3, n_head: 4, n_embd: 48, sequence_len: 8 };
  const model = await createModel(
    { model_name: "nanochat" },
    { inputShape: [8], classes: 500, parameters, random: createRandom(1) },
  );
  const weights = model.weights();
  const of = (name: string) => Array.from(weights.get(name)!.data as Float32Array);
  const within = (name: string, low: number, high: number) => {
    expect(Math.min(...of(name)), name).toBeGreaterThanOrEqual(low);
    expect(Math.max(...of(name)), name).toBeLessThanOrEqual(high);
  };
  /** Of numbers around zero; so many of them give it to 5 %. */
  const deviation = (name: string) =>
    Math.sqrt(of(name).reduce((sum, x) => sum + x * x, 0) / of(name).length);
  const near = (name: string, expected: number) =>
    expect(Math.abs(deviation(name) / expected - 1), name).toBeLessThan(0.05);

  // 1.15 and 0.20 in the first layer, 1.05 and 0.05 in the last.
  expectClose(of("resid_lambdas"), [1.15, 1.1, 1.05]);
  expectClose(of("x0_lambdas"), [0.2, 0.125, 0.05]);
  expectClose(of("smear_lambda"), [0]);
  expectClose(of("backout_lambda"), [0.2]);
  near("transformer.wte.weight", 0.8);
  near("lm_head.weight", 0.001);
  // Uniform within sqrt(3 / 48) = 0.25, whose deviation is 1 / sqrt(48).
  for (const name of ["c_q", "c_k", "c_v"].map((part) => `transformer.h.1.attn.${part}.weight`)) {
    within(name, -0.25, 0.25);
    near(name, 48 ** -0.5);
  }
  within("transformer.h.1.mlp.c_fc.weight", -0.1, 0.1);
  near("transformer.h.1.mlp.c_fc.weight", 0.4 * 48 ** -0.5);
  near("value_embeds.2.weight", 48 ** -0.5);
  for (const name of ["smear_gate.weight", "transformer.h.0.attn.ve_gate.weight"]) within(name, 0, 0.02);
  for (const part of ["attn", "mlp"]) within(`transformer.h.2.${part}.c_proj.weight`, 0, 0);
  // Value embeddings in every second layer, the last among them; tables with a multiple of 64 rows.
  expect([...weights.keys()].filter((name) => name.startsWith("value_embeds"))).toEqual([
    "value_embeds.0.weight",
    "value_embeds.2.weight",
  ]);
  expect(weights.get("lm_head.weight")!.shape).toEqual([512, 48]);
  model.dispose();
});
