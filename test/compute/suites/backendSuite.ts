import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLogger } from "../../../src/base/index.js";
import { loadBackend, tf } from "../../../src/compute/index.js";
import { arrangementCases, reductionCases } from "./arrangementCases.js";
import { convolutionCases } from "./convolutionCases.js";
import { elementwiseCases } from "./elementwiseCases.js";
import { fusedCases } from "./fusedCases.js";
import { modelCases } from "./modelCases.js";
import { type HostTensor, type OperationCase, runCase } from "./operationCase.js";
import { productCases } from "./productCases.js";

const FAMILIES: Readonly<Record<string, readonly OperationCase[]>> = {
  "element by element": elementwiseCases,
  reductions: reductionCases,
  arrangement: arrangementCases,
  products: productCases,
  "convolutions and pooling": convolutionCases,
  "parts of models": modelCases,
  "parts of language models": fusedCases,
};

/** Relative to the largest expected number of a tensor, at least 1. */
const FORWARD_TOLERANCE = 2e-5;
const GRADIENT_TOLERANCE = 1e-4;

/**
 * What every back end must do: each operation and its gradients as on the cpu back end.
 * @param prepare makes the back end under test the current one and returns the name it is registered under
 */
export function backendSuite(title: string, prepare: () => Promise<string>): void {
  describe(title, () => {
    let registered = "";
    beforeAll(async () => {
      await loadBackend("cpu", { logger: silentLogger });
      registered = await prepare();
    });
    afterAll(async () => {
      await tf.setBackend(registered);
    });

    describe.each(Object.entries(FAMILIES))("%s", (_, cases) => {
      test.each(cases.map((one) => [one.name, one] as const))("%s", async (__, one) => {
        await tf.setBackend("cpu");
        const expected = runCase(one);
        await tf.setBackend(registered);
        const found = runCase(one);

        expect(found.length).toBe(expected.length);
        const outputs = expected.length - (one.by?.length ?? 0);
        for (const [index, tensor] of found.entries()) {
          const tolerance = index < outputs ? FORWARD_TOLERANCE : GRADIENT_TOLERANCE;
          expectClose(tensor, expected[index]!, tolerance, index);
        }
      });
    });
  });
}

function expectClose(found: HostTensor, expected: HostTensor, tolerance: number, index: number): void {
  expect({ shape: found.shape, dtype: found.dtype }).toEqual({
    shape: expected.shape,
    dtype: expected.dtype,
  });
  const scale = Math.max(1, ...expected.values.slice(0, 10_000).map(Math.abs).filter(Number.isFinite));
  const wrong = expected.values.findIndex((value, place) => {
    const own = found.values[place]!;
    return !Object.is(own, value) && !(Math.abs(own - value) <= tolerance * scale);
  });
  if (wrong < 0) return;
  expect.fail(
    `tensor ${index}, element ${wrong}: found ${found.values[wrong]}, expected ${expected.values[wrong]}`,
  );
}
