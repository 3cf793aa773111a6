import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pipeline } from "../../../src/processors/index.js";
import { layoutOf, type Weights } from "../../../src/weights/index.js";
import { randomOf, source } from "../support.js";

/** What holds for every list of processors. */
export function processorSuite(
  name: string,
  pipeline: Pipeline,
  expected: {
    /** The largest error of a weight that was between -1 and 1, and whose global weight was too; 0: none. */
    readonly error: number;
  },
): void {
  const decode = (parts: readonly Uint8Array[], reference: Weights, layout = layoutOf(reference)) =>
    pipeline.decodeWeights(source(parts), { layout, reference });
  const single = (values: readonly number[]) => Float32Array.from(values);
  const weightsFrom = (values: readonly number[], columns: number): Weights =>
    new Map([
      [
        "kernel",
        {
          dtype: "float32",
          shape: [Math.floor(values.length / columns), columns],
          data: single(values.slice(0, Math.floor(values.length / columns) * columns)),
        },
      ],
      ["bias", { dtype: "float32", shape: [2], data: single([values[0] ?? 0, -1]) }],
      ["steps", { dtype: "int32", shape: [], data: Int32Array.of(70_000) }],
      ["~sent beside", { dtype: "float32", shape: [1, 1], data: single([1 / 3]) }],
      ["empty", { dtype: "float32", shape: [0, 4], data: new Float32Array(0) }],
    ]);
  const number = fc.float({ min: -1, max: 1, noNaN: true });
  const numbers = fc.array(number, { minLength: 1, maxLength: 60 });

  describe(name, () => {
    it("brings weights of any shape to the other end, in their layout and within its error", async () => {
      await fc.assert(
        fc.asyncProperty(
          numbers.chain((values) =>
            fc.tuple(
              fc.constant(values),
              fc.array(number, { minLength: values.length, maxLength: values.length }),
              fc.integer({ min: 1, max: values.length }),
            ),
          ),
          async ([values, global, columns]) => {
            const weights = weightsFrom(values, columns);
            const reference = weightsFrom(global, columns);
            const encoded = await pipeline.encode(weights, { randomOf, reference });
            const decoded = await decode(encoded.parts, reference);
            expect(decoded).toEqual(await encoded.received());
            expect(layoutOf(decoded)).toEqual(layoutOf(weights));
            for (const [array, { data }] of decoded) {
              const was = weights.get(array)!.data;
              const bound = array === "kernel" || array === "bias" ? expected.error : 0;
              for (const [index, value] of data.entries()) {
                expect(Math.abs(value - was[index]!)).toBeLessThanOrEqual(bound);
              }
            }
          },
        ),
        { numRuns: 30 },
      );
    });

    it("writes the same bytes for the same draws", async () => {
      const weights = weightsFrom([0.5, -0.25, 0.125, 1], 2);
      const reference = weightsFrom([0.1, 0.2, 0.3, 0.4], 2);
      const [one, other] = await Promise.all(
        [1, 2].map(async () => (await pipeline.encode(weights, { randomOf, reference })).parts),
      );
      expect(Buffer.concat(one!)).toEqual(Buffer.concat(other!));
    });

    it("refuses every payload that was cut short or has something behind its end", async () => {
      const weights = weightsFrom([0.5, -0.25, 0.125, 1], 2);
      const { parts } = await pipeline.encode(weights, { randomOf, reference: weights });
      const bytes = Buffer.concat(parts);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
          await expect(decode([bytes.subarray(0, length)], weights)).rejects.toMatchObject({
            code: "PAYLOAD_INVALID",
          });
        }),
        { numRuns: 40 },
      );
      await expect(decode([bytes, Buffer.of(0)], weights)).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
    });

    it("answers damage with an error of its own or with weights of the right layout", async () => {
      const weights = weightsFrom([0.5, -0.25, 0.125, 1, 0.75, 0.1], 2);
      const { parts } = await pipeline.encode(weights, { randomOf, reference: weights });
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
          const bytes = Buffer.concat(parts);
          bytes[place % bytes.length]! ^= flip;
          const outcome = await decode([bytes], weights).catch((error: { code?: string }) => error.code);
          if (outcome instanceof Map) expect(layoutOf(outcome)).toEqual(layoutOf(weights));
          else expect(outcome).toMatch(/^(PAYLOAD|WEIGHTS)_INVALID$/);
        }),
        { numRuns: 60 },
      );
    });

    it("refuses weights of another model than expected, and more of them than allowed", async () => {
      const weights = weightsFrom([0.5, -0.25, 0.125, 1], 2);
      const other = weightsFrom([0.5, -0.25, 0.125, 1], 4);
      const { parts } = await pipeline.encode(weights, { randomOf, reference: weights });
      await expect(decode(parts, weights, layoutOf(other))).rejects.toMatchObject({
        code: "WEIGHTS_INVALID",
      });
      await expect(
        pipeline.decodeWeights(source(parts), { limit: 8, reference: weights }),
      ).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
    });
  });
}
