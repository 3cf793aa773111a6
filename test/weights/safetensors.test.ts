import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import {
  readSafetensors,
  type WeightArray,
  weightsDigest,
  writeSafetensors,
} from "../../src/weights/index.js";
import { readSafetensorsHeader } from "../../src/weights/safetensors.js";

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-safetensors-"));
  path = join(folder, "a.safetensors");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file by hand: length, header as JSON or raw text, data. */
function file(header: unknown, data: Uint8Array | number[] = []): Buffer {
  const json = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.from(data)]);
}

const f32 = (begin: number, end: number, shape = [(end - begin) / 4]) => ({
  dtype: "F32",
  shape,
  data_offsets: [begin, end],
});

describe("the safetensors format", () => {
  it("is written as its specification says, header padded to 8 bytes", async () => {
    const arrays = new Map<string, WeightArray>([
      ["b", { dtype: "float32", shape: [1, 2], data: new Float32Array([1, -2]) }],
      ["a", { dtype: "uint8", shape: [], data: new Uint8Array([7]) }],
    ]);
    await writeSafetensors(path, { arrays, metadata: new Map([["k", "v"]]) });
    const bytes = await readFile(path);
    const length = Number(bytes.readBigUInt64LE());
    expect(length % 8).toBe(0);
    expect(
      bytes
        .subarray(8, 8 + length)
        .toString()
        .trimEnd(),
    ).toBe(
      '{"__metadata__":{"k":"v"},"b":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"a":{"dtype":"U8","shape":[],"data_offsets":[8,9]}}',
    );
    expect([...bytes.subarray(8 + length)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 7]);
  });

  it("is read as its specification says, whatever the order in the header", async () => {
    const header = {
      late: f32(4, 8),
      early: { dtype: "I32", shape: [1], data_offsets: [0, 4] },
      __metadata__: { format: "pt" },
    };
    await writeFile(path, file(header, [255, 255, 255, 255, 0, 0, 0x80, 0x3f]));
    const { arrays, metadata } = await readSafetensors(path);
    expect([...arrays]).toEqual([
      ["early", { dtype: "int32", shape: [1], data: new Int32Array([-1]) }],
      ["late", { dtype: "float32", shape: [1], data: new Float32Array([1]) }],
    ]);
    expect([...metadata]).toEqual([["format", "pt"]]);
    expect([...(await readSafetensors(path, (name) => name === "late")).arrays.keys()]).toEqual(["late"]);
    await writeFile(path, file("{}"));
    expect(await readSafetensors(path)).toEqual({ arrays: new Map(), metadata: new Map() });
  });

  it("is read in half precision as 32-bit floats", async () => {
    const half = (dtype: string, begin: number) => ({
      dtype,
      shape: [1, 3],
      data_offsets: [begin, begin + 6],
    });
    // 1, -2, 0.5 in both; binary16 has five bits of exponent, bfloat16 eight.
    const data = [0x00, 0x3c, 0x00, 0xc0, 0x00, 0x38, 0x80, 0x3f, 0x00, 0xc0, 0x00, 0x3f];
    await writeFile(path, file({ a: half("F16", 0), b: half("BF16", 6) }, data));
    const values = { dtype: "float32", shape: [1, 3], data: new Float32Array([1, -2, 0.5]) };
    expect([...(await readSafetensors(path)).arrays]).toEqual([
      ["a", values],
      ["b", values],
    ]);
  });

  it("writes arrays that are made when they are asked for", async () => {
    let alive = 0;
    const lazy: WeightArray = {
      dtype: "float32",
      shape: [2],
      get data() {
        alive++;
        return new Float32Array([1, 2]);
      },
    };
    await writeSafetensors(path, { arrays: new Map([["a", lazy]]), metadata: new Map() });
    expect(alive).toBeGreaterThan(0);
    expect((await readSafetensors(path)).arrays.get("a")!.data).toEqual(new Float32Array([1, 2]));
  });

  it("gives back any arrays, in their order and bit for bit", async () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 });
    const shape = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
    const array = fc
      .tuple(shape, fc.constantFrom("float32", "int32", "uint8"), fc.integer())
      .map(([shape, dtype, seed]): WeightArray => {
        const kind = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array }[dtype]!;
        const length = shape.reduce((product, size) => product * size, 1);
        const bits = new Uint32Array(length).map((_, index) => Math.imul(seed + index, 2654435761));
        return { dtype: dtype as "int32", shape, data: new kind(bits.buffer, 0, length) };
      });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(name, array), { selector: ([name]) => name }),
        async (entries) => {
          const arrays = new Map(entries.filter(([name]) => name !== "__proto__"));
          await writeSafetensors(path, { arrays, metadata: new Map() });
          const read = (await readSafetensors(path)).arrays;
          expect([...read.keys()]).toEqual([...arrays.keys()]);
          expect(weightsDigest(read)).toBe(weightsDigest(arrays));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is not written for arrays that contradict themselves or bear the reserved name", async () => {
    const data = new Float32Array(3);
    for (const [name, array] of [
      ["w", { dtype: "float32", shape: [2, 2], data }],
      ["w", { dtype: "int32", shape: [3], data }],
      ["__metadata__", { dtype: "float32", shape: [3], data }],
    ] as const) {
      const arrays = new Map([[name as string, array as WeightArray]]);
      await expect(writeSafetensors(path, { arrays, metadata: new Map() })).rejects.toMatchObject({
        code: "WEIGHTS_INVALID",
      });
    }
  });
});

describe("a file that is no safetensors", () => {
  const cases: [string, Buffer, number, RegExp][] = [
    ["empty", Buffer.alloc(0), 0, /ends here/],
    ["shorter than its length field", Buffer.alloc(7), 7, /ends here/],
    [
      "with a header longer than the file",
      Buffer.concat([Buffer.from([9, 0, 0, 0, 0, 0, 0, 0]), Buffer.alloc(8)]),
      0,
      /header of 9 bytes/,
    ],
    ["with a header of 2^63 bytes", Buffer.from([0, 0, 0, 0, 0, 0, 0, 128]), 0, /header of/],
    ["with a header that is not JSON", file("{"), 8, /not JSON/],
    [
      "with a header that is not UTF-8",
      Buffer.concat([file("").fill(2, 0, 1), Buffer.from([0xc3, 0x28])]),
      8,
      /not JSON/,
    ],
    ["with a header that is a list", file("[]"), 8, /not an object/],
    ["with a header that is null", file("null"), 8, /not an object/],
    ["with metadata that is no text", file({ __metadata__: { a: 1 } }), 8, /__metadata__/],
    ["with metadata that is a list", file({ __metadata__: ["a"] }), 8, /__metadata__/],
    ["with an entry that is null", file({ w: null }), 8, /"w" has not the fields/],
    ["with an entry without offsets", file({ w: { dtype: "F32", shape: [] } }), 8, /has not the fields/],
    [
      "with a negative size",
      file({ w: { dtype: "U8", shape: [-1], data_offsets: [0, 0] } }),
      8,
      /has not the fields/,
    ],
    [
      "with a fractional offset",
      file({ w: { dtype: "U8", shape: [1], data_offsets: [0.5, 1.5] } }),
      8,
      /has not the fields/,
    ],
    [
      "with a dtype that is only passed over",
      file({ w: { dtype: "F64", shape: [1], data_offsets: [0, 8] } }, [1, 2, 3, 4, 5, 6, 7, 8]),
      8,
      /"w" has dtype "F64"; expected F32, F16, BF16/,
    ],
    [
      "with a dtype that is unknown here",
      file({ w: { ...f32(0, 4), dtype: "F4" } }, [1, 2, 3, 4]),
      8,
      /"F4"; expected F32, F16, BF16/,
    ],
    ["with a shape that wants other bytes", file({ w: f32(0, 4, [2]) }, [1, 2, 3, 4]), 62, /has 4 bytes/],
    ["with a shape beyond all numbers", file({ w: f32(0, 4, [2 ** 50, 2 ** 50]) }, [1, 2, 3, 4]), 0, /want/],
    [
      "with arrays that overlap",
      file({ a: f32(0, 8), b: f32(4, 12) }, new Uint8Array(12)),
      0,
      /"b" overlaps/,
    ],
    [
      "with a hole between arrays",
      file({ a: f32(0, 4), b: f32(8, 12) }, new Uint8Array(12)),
      0,
      /"b" leaves a hole/,
    ],
    ["with a hole at the start", file({ a: f32(4, 8) }, new Uint8Array(8)), 0, /"a" leaves a hole/],
    ["that is truncated", file({ a: f32(0, 8) }, new Uint8Array(7)), 0, /the file ends here/],
    ["that has a tail", file({ a: f32(0, 8) }, new Uint8Array(9)), 0, /the file ends here/],
  ];

  it.each(cases)("%s is refused, with file and byte named", async (_, bytes, offset, message) => {
    await writeFile(path, bytes);
    const error = await readSafetensors(path).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "CHECKPOINT_INVALID", details: { file: path } });
    expect(error.message).toMatch(message);
    expect(error.message).toContain(path);
    if (offset > 0) expect(error.details.offset).toBe(offset);
    expect(error.details.offset).toEqual(expect.any(Number));
  });

  it("is refused when it cannot be opened or is a folder", async () => {
    await expect(readSafetensors(join(folder, "none"))).rejects.toThrow("cannot be opened");
    await expect(readSafetensors(folder)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
  });

  it("never does more than be refused, whatever bytes it holds", async () => {
    const good = [
      file({ __metadata__: { k: "v" }, a: f32(0, 8), b: f32(8, 16, [2, 1]) }, new Uint8Array(16)),
      file(
        {
          a: { dtype: "F16", shape: [4], data_offsets: [0, 8] },
          b: { dtype: "BF16", shape: [2, 2], data_offsets: [8, 16] },
        },
        new Uint8Array(16),
      ),
    ];
    const damaged = fc
      .tuple(fc.constantFrom(...good), fc.nat(), fc.nat(255), fc.nat())
      .map(([whole, at, value, length]) => {
        const bytes = Buffer.from(whole);
        bytes[at % bytes.length] = value;
        return bytes.subarray(0, length % 3 === 0 ? bytes.length : length % bytes.length);
      });
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((json) => file(json)),
      damaged,
    );
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        await writeFile(path, bytes);
        try {
          const { arrays } = await readSafetensors(path);
          const { entries } = await readSafetensorsHeader(path);
          const used = entries.reduce((sum, entry) => sum + entry.bytes, 0);
          expect(used).toBe(bytes.length - 8 - Number(bytes.readBigUInt64LE()));
          for (const { name, stored, bytes: size } of entries) {
            const each = { F32: 4, I32: 4, F16: 2, BF16: 2, U8: 1 }[stored as "F32"];
            expect(arrays.get(name)!.data).toHaveLength(size / each);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ElenchusError);
          expect(error).toMatchObject({ code: "CHECKPOINT_INVALID" });
        }
      }),
      { numRuns: 400 },
    );
  });

  it("has its header read without its arrays", async () => {
    await writeFile(path, file({ a: f32(0, 8) }, new Uint8Array(8)));
    const { entries } = await readSafetensorsHeader(path);
    expect(entries).toEqual([{ name: "a", stored: "F32", shape: [2], begin: 62, bytes: 8 }]);
  });
});

describe("the digest of weights", () => {
  it("is that of name, type, shape and bytes, array by array", () => {
    const weights = new Map<string, WeightArray>([
      ["w", { dtype: "uint8", shape: [3], data: new Uint8Array([97, 98, 99]) }],
    ]);
    // sha256 of the line ["w","uint8",[3]] and the bytes "abc", from sha256sum
    expect(weightsDigest(weights)).toBe("642977d8fcf5bac0c71fda74b5f9b3e9e72c15e1ca4418b6c25d0022d0bfdc1e");
  });
});
