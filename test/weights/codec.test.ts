import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import {
  decodeWeights,
  encodeWeights,
  layoutOf,
  readLayout,
  readWeights,
  type Weights,
} from "../../src/weights/index.js";
import { arbitraryWeights, bytesOf } from "./arbitraryWeights.js";

const small: Weights = new Map([
  ["a", { dtype: "float32", shape: [2], data: Float32Array.of(1, -2) }],
  ["b", { dtype: "uint8", shape: [3], data: Uint8Array.of(7, 8, 9) }],
]);

/** A payload with any header: a hostile sender's. */
function payload(header: unknown, dataBytes: number, change: (bytes: Buffer) => void = () => {}): Buffer {
  const json = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const jsonBytes = Math.ceil(json.length / 8) * 8;
  const bytes = Buffer.alloc(16 + jsonBytes + dataBytes, " ");
  bytes.fill(0, 16 + jsonBytes);
  bytes.write("93454c570d0a1a0a", "hex");
  bytes.writeUInt32LE(1, 8);
  bytes.writeUInt32LE(jsonBytes, 12);
  json.copy(bytes, 16);
  change(bytes);
  return bytes;
}

function described(...arrays: Record<string, unknown>[]) {
  return { arrays };
}

const one = { name: "a", dtype: "float32", shape: [2], offset: 0 };

describe("weights as a payload", () => {
  it("lay out a header and each array's bytes on a multiple of eight", () => {
    const bytes = Buffer.concat(encodeWeights(small));
    const jsonBytes = bytes.readUInt32LE(12);
    const json = bytes.subarray(16, 16 + jsonBytes).toString();
    expect(bytes.subarray(0, 8).toString("hex")).toBe("93454c570d0a1a0a");
    expect(bytes.readUInt32LE(8)).toBe(1);
    expect(jsonBytes % 8).toBe(0);
    expect(JSON.parse(json)).toEqual({
      arrays: [
        { name: "a", dtype: "float32", shape: [2], offset: 0 },
        { name: "b", dtype: "uint8", shape: [3], offset: 8 },
      ],
    });
    // 1 is 3f800000 and -2 is c0000000, least significant byte first; three bytes and five of padding.
    expect(bytes.subarray(16 + jsonBytes).toString("hex")).toBe("0000803f000000c00708090000000000");
  });

  it("do not copy the arrays", () => {
    const data = new Float32Array(8).subarray(2, 6);
    const parts = encodeWeights(new Map([["w", { dtype: "float32", shape: [4], data }]]));
    data[3] = 1;
    expect(parts[1]!.buffer).toBe(data.buffer);
    expect(parts[1]!.byteLength).toBe(16);
    expect(Buffer.from(parts[1]!.subarray(12)).readFloatLE()).toBe(1);
  });

  it("come back bit for bit, in order, whatever the pieces they are read in", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWeights, fc.integer({ min: 1, max: 40 }), async (weights, pieceBytes) => {
        const bytes = Buffer.concat(encodeWeights(weights));
        const source = {
          bytes: bytes.length,
          async *read() {
            // One buffer for all pieces: a piece is valid only until the next.
            const piece = Buffer.alloc(pieceBytes + 1);
            for (let start = 0; start < bytes.length; start += pieceBytes) {
              const size = bytes.copy(piece, 1, start, start + pieceBytes);
              yield piece.subarray(1, 1 + size);
            }
          },
        };
        expect(bytesOf(await readWeights(source))).toEqual(bytesOf(weights));
        expect(await readLayout(source)).toEqual({
          ...layoutOf(weights),
          headerBytes: bytes.length - layoutOf(weights).dataBytes,
        });
      }),
    );
  });

  it("come back in arrays of their own", async () => {
    const bytes = Buffer.concat(encodeWeights(small));
    const weights = await decodeWeights(bytes);
    bytes.fill(0);
    expect(weights.get("a")!.data).toEqual(Float32Array.of(1, -2));
  });

  it("may be none at all", async () => {
    expect((await decodeWeights(encodeWeights(new Map()))).size).toBe(0);
  });

  it("are refused when cut off at any byte, or one byte too long", async () => {
    const bytes = Buffer.concat(encodeWeights(small));
    for (let length = 0; length < bytes.length; length++) {
      await expect(decodeWeights(bytes.subarray(0, length))).rejects.toMatchObject({
        code: "PAYLOAD_INVALID",
      });
    }
    await expect(decodeWeights([bytes, Buffer.alloc(1)])).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
  });

  it("are read or refused, never anything else, after any bits of the header were turned", async () => {
    const bytes = Buffer.concat(encodeWeights(small));
    const headerBits = (16 + bytes.readUInt32LE(12)) * 8;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(headerBits - 1), { minLength: 1, maxLength: 4 }), async (flips) => {
        const damaged = Buffer.from(bytes);
        for (const bit of flips) damaged[bit >> 3]! ^= 1 << (bit & 7);
        const failure = await decodeWeights(damaged).catch((error: unknown) => error);
        if (!(failure instanceof Map)) expect(failure).toBeInstanceOf(ElenchusError);
      }),
      { numRuns: 2000 },
    );
  });

  it("are refused as any bytes whatever", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        await expect(decodeWeights(bytes)).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
      }),
    );
  });

  it.each<[string, Buffer, string, RegExp]>([
    ["another mark", payload(described(one), 8, (b) => b.fill(0, 0, 1)), "PAYLOAD_INVALID", /mark/],
    [
      "another version",
      payload(described(one), 8, (b) => b.writeUInt32LE(2, 8)),
      "PAYLOAD_INVALID",
      /version 2/,
    ],
    [
      "a header of four gigabytes",
      payload(described(one), 8, (b) => b.writeUInt32LE(0xfffffff8, 12)),
      "PAYLOAD_INVALID",
      /4294967288 bytes/,
    ],
    [
      "a header that is not aligned",
      payload(described(one), 8, (b) => b.writeUInt32LE(9, 12)),
      "PAYLOAD_INVALID",
      /multiple of 8/,
    ],
    ["no JSON", payload("{", 0), "PAYLOAD_INVALID", /no JSON/],
    ["no UTF-8", payload("       \u0001", 0, (b) => b.fill(0xff, 16, 24)), "PAYLOAD_INVALID", /no JSON/],
    ["JSON of another form", payload([1, 2], 0), "PAYLOAD_INVALID", /malformed/],
    ["a key too many", payload({ arrays: [], extra: 1 }, 0), "PAYLOAD_INVALID", /malformed/],
    [
      "an unknown type",
      payload(described({ ...one, dtype: "float64" }), 16),
      "PAYLOAD_INVALID",
      /arrays.0.dtype/,
    ],
    [
      "a negative size",
      payload(described({ ...one, shape: [-2] }), 8),
      "PAYLOAD_INVALID",
      /arrays.0.shape.0/,
    ],
    ["half a size", payload(described({ ...one, shape: [1.5] }), 8), "PAYLOAD_INVALID", /arrays.0.shape.0/],
    [
      "too many axes",
      payload(described({ ...one, shape: Array(17).fill(1) }), 8),
      "WEIGHTS_INVALID",
      /at most 16/,
    ],
    ["a name twice", payload(described(one, { ...one, offset: 8 }), 16), "WEIGHTS_INVALID", /occurs twice/],
    ["an empty name", payload(described({ ...one, name: "" }), 8), "WEIGHTS_INVALID", /no name/],
    [
      "an endless name",
      payload(described({ ...one, name: "n".repeat(1025) }), 8),
      "WEIGHTS_INVALID",
      /no name/,
    ],
    [
      "the name __proto__",
      payload(described({ ...one, name: "__proto__" }), 8),
      "WEIGHTS_INVALID",
      /may have/,
    ],
    [
      "a lone surrogate",
      payload('{"arrays":[{"name":"\\ud800","dtype":"uint8","shape":[],"offset":0}]}', 8),
      "WEIGHTS_INVALID",
      /Unicode/,
    ],
    [
      "arrays that overlap",
      payload(described(one, { ...one, name: "b" }), 16),
      "PAYLOAD_INVALID",
      /lie at 0; expected 8/,
    ],
    [
      "a gap between arrays",
      payload(described(one, { ...one, name: "b", offset: 16 }), 24),
      "PAYLOAD_INVALID",
      /lie at 16; expected 8/,
    ],
    [
      "more elements than memory",
      payload(described({ ...one, shape: [2 ** 40, 4] }), 8),
      "PAYLOAD_INVALID",
      /describes/,
    ],
    [
      "more elements than numbers",
      payload(described({ ...one, shape: [2 ** 40, 2 ** 40] }), 8),
      "WEIGHTS_INVALID",
      /too large/,
    ],
    [
      "infinitely many times none",
      payload(described({ ...one, shape: [...Array(15).fill(2 ** 52), 0] }), 8),
      "PAYLOAD_INVALID",
      /describes|shape/,
    ],
  ])("are refused with %s", async (_, bytes, code, message) => {
    await expect(decodeWeights(bytes)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("leave no object's prototype changed by a key of the header", async () => {
    const json = '{"arrays":[],"__proto__":{"polluted":1}}';
    await decodeWeights(payload(json, 0)).catch(() => {});
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("weights to be sent", () => {
  const weights = (name: string, array: unknown) => new Map([[name, array]]) as unknown as Weights;

  it.each<[string, Weights, RegExp]>([
    [
      "of another type than declared",
      weights("w", { dtype: "float32", shape: [1], data: new Int32Array(1) }),
      /holds a Int32Array/,
    ],
    [
      "with bytes declared as integers",
      weights("w", { dtype: "int32", shape: [1], data: new Uint8Array(4) }),
      /holds a Uint8Array/,
    ],
    [
      "of doubles",
      weights("w", { dtype: "uint8", shape: [1], data: new Float64Array(1) }),
      /holds a Float64Array/,
    ],
    [
      "of a type that there is not",
      weights("w", { dtype: "toString", shape: [1], data: new Uint8Array(1) }),
      /toString/,
    ],
    ["without data", weights("w", { dtype: "float32", shape: [1] }), /undefined/],
    [
      "with fewer elements than the shape says",
      weights("w", { dtype: "float32", shape: [2, 3], data: new Float32Array(5) }),
      /6 elements, and holds 5/,
    ],
    [
      "with a size that is no number",
      weights("w", { dtype: "float32", shape: ["2"], data: new Float32Array(2) }),
      /whole numbers/,
    ],
    [
      "with a shape that is no list",
      weights("w", { dtype: "float32", shape: 2, data: new Float32Array(2) }),
      /whole numbers/,
    ],
    [
      "named __proto__",
      weights("__proto__", { dtype: "float32", shape: [1], data: new Float32Array(1) }),
      /__proto__/,
    ],
    ["without a name", weights("", { dtype: "float32", shape: [1], data: new Float32Array(1) }), /no name/],
  ])("are refused %s", (_, bad, message) => {
    expect(() => encodeWeights(bad)).toThrow(message);
    expect(() => encodeWeights(bad)).toThrow(expect.objectContaining({ code: "WEIGHTS_INVALID" }));
  });

  it("are refused when their names alone exceed what a reader takes", () => {
    const names = Array.from({ length: 9000 }, (_, index) => `${"n".repeat(1000)}${index}`);
    const array = { dtype: "uint8", shape: [0], data: new Uint8Array(0) } as const;
    expect(() => encodeWeights(new Map(names.map((name) => [name, array])))).toThrow(/9000 arrays/);
  });
});
