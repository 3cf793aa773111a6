import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { algorithms, type ClientUpdate } from "../../src/algorithms/index.js";
import type { Weights } from "../../src/weights/index.js";
import { floats, updateOf } from "./updates.js";

const fedavg = await algorithms.lookup("fedavg")({});

async function average(globalWeights: Weights, updates: readonly ClientUpdate[]): Promise<Weights> {
  const aggregation = fedavg.server.begin(globalWeights, 1);
  for (const update of updates) await aggregation.fold(update);
  return aggregation.finish();
}

function array(dtype: "int32" | "uint8", ...values: number[]): Weights {
  const data = dtype === "int32" ? Int32Array.from(values) : Uint8Array.from(values);
  return new Map([["counts", { dtype, shape: [values.length], data }]]);
}

describe("federated averaging", () => {
  it("weights clients by their samples", async () => {
    // (1 * [1, 2] + 3 * [5, -2]) / 4 = [4, -1]; the plain mean would be [3, 0].
    const next = await average(floats(0, 0), [updateOf(1, 1, floats(1, 2)), updateOf(2, 3, floats(5, -2))]);
    expect(next.get("w")).toEqual({ dtype: "float32", shape: [2], data: Float32Array.of(4, -1) });
  });

  it("is no mean of means", async () => {
    // (2 * 0 + 2 * 8 + 4 * 2) / 8 = 3; averaging pair by pair would give 3 only with the right weights.
    const next = await average(floats(0), [
      updateOf(1, 2, floats(0)),
      updateOf(2, 2, floats(8)),
      updateOf(3, 4, floats(2)),
    ]);
    expect(next.get("w")!.data).toEqual(Float32Array.of(3));
  });

  it("gives a single client's weights back bit for bit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 50 }),
        fc.double({ min: 1e-300, max: 1e300, noNaN: true }),
        async (values, numSamples) => {
          const next = await average(floats(...values.map(() => 0)), [
            updateOf(1, numSamples, floats(...values), 12),
          ]);
          // -0 may become 0: the sum begins at 0.
          expect([...next.get("w")!.data].map((value) => value + 0)).toEqual(
            values.map((value) => value + 0),
          );
        },
      ),
    );
  });

  it("keeps the order and the shapes of all arrays", async () => {
    const model = (value: number): Weights =>
      new Map([
        ["kernel", { dtype: "float32", shape: [2, 1], data: Float32Array.of(value, value) }],
        ["steps", { dtype: "int32", shape: [], data: Int32Array.of(value) }],
        ["bias", { dtype: "float32", shape: [1], data: Float32Array.of(-value) }],
      ]);
    const next = await average(model(0), [updateOf(1, 1, model(2)), updateOf(2, 1, model(6))]);
    expect([...next]).toEqual([...model(4)]);
  });

  it("rounds the mean of integers to the nearest, halves to the even one", async () => {
    const next = await average(array("int32", 0, 0, 0, 0, 0), [
      updateOf(1, 1, array("int32", 1, 2, -1, -2, 2147483647)),
      updateOf(2, 1, array("int32", 2, 3, -2, -3, 2147483647)),
    ]);
    // 1.5, 2.5, -1.5, -2.5
    expect(next.get("counts")!.data).toEqual(Int32Array.of(2, 2, -2, -2, 2147483647));
    const bytes = await average(array("uint8", 0, 0), [
      updateOf(1, 1, array("uint8", 255, 0)),
      updateOf(2, 2, array("uint8", 255, 1)),
    ]);
    // 2 / 3 is nearer to 1
    expect(bytes.get("counts")!.data).toEqual(Uint8Array.of(255, 1));
  });

  it("reads integers from pieces at any alignment", async () => {
    const values = Array.from({ length: 100 }, (_, index) => index * 1000 - 50_000);
    const next = await average(array("int32", ...values.map(() => 0)), [
      updateOf(1, 5, array("int32", ...values), 7),
    ]);
    expect([...next.get("counts")!.data]).toEqual(values);
  });

  it("does not depend on how updates are cut into pieces", async () => {
    const values = (seed: number) =>
      Array.from({ length: 1000 }, (_, index) => Math.sin(seed * 1000 + index));
    const run = (pieceBytes: number) =>
      average(floats(...values(0)), [
        updateOf(1, 3, floats(...values(1)), pieceBytes),
        updateOf(2, 7, floats(...values(2)), pieceBytes),
      ]);
    const whole = await run(1024 ** 2);
    for (const pieceBytes of [1, 3, 16, 1001]) expect(await run(pieceBytes)).toEqual(whole);
  });

  it("keeps the global weights when nothing was folded, or no samples at all", async () => {
    const globalWeights = floats(1, 2);
    expect(await average(globalWeights, [])).toBe(globalWeights);
    expect(await average(globalWeights, [updateOf(1, 0, floats(8, 8))])).toBe(globalWeights);
  });

  it("gives a client without samples no say", async () => {
    const next = await average(floats(0), [updateOf(1, 0, floats(100)), updateOf(2, 2, floats(1))]);
    expect(next.get("w")!.data).toEqual(Float32Array.of(1));
  });

  it("stays within the range of the weights for any numbers of samples", async () => {
    const next = await average(floats(0), [updateOf(1, 1e30, floats(1e30)), updateOf(2, 1e30, floats(1e30))]);
    expect(next.get("w")!.data).toEqual(Float32Array.of(1e30));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("refuses %d samples", async (numSamples) => {
    await expect(average(floats(0), [updateOf(4, numSamples, floats(1))])).rejects.toMatchObject({
      code: "PAYLOAD_INVALID",
      message: expect.stringContaining("Client 4"),
    });
  });

  it("refuses weights of another model, naming the array, and goes on with the others", async () => {
    const aggregation = fedavg.server.begin(floats(0, 0), 1);
    await aggregation.fold(updateOf(1, 1, floats(1, 1)));
    await expect(aggregation.fold(updateOf(2, 1, floats(1, 1, 1)))).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
      message: expect.stringContaining('"w"'),
    });
    await aggregation.fold(updateOf(3, 1, floats(3, 3)));
    expect((await aggregation.finish()).get("w")!.data).toEqual(Float32Array.of(2, 2));
  });

  it("gives no result once an update broke off in its middle", async () => {
    const aggregation = fedavg.server.begin(floats(0, 0), 1);
    const update = updateOf(1, 1, floats(1, 1));
    const torn = {
      ...update,
      weights: {
        ...update.weights,
        async *read() {
          let left = update.weights.bytes - 4;
          for await (const piece of update.weights.read()) {
            yield piece.subarray(0, left);
            left -= piece.length;
          }
        },
      },
    };
    await expect(aggregation.fold(torn)).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
    await expect(aggregation.fold(updateOf(2, 1, floats(1, 1)))).rejects.toMatchObject({ code: "INTERNAL" });
    await expect(aggregation.finish()).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("has no client half", () => {
    expect(fedavg).toMatchObject({ name: "fedavg", client: {} });
  });
});
