import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createPipeline, payloadProcessors } from "../../src/processors/index.js";
import { layoutOf, type Weights } from "../../src/weights/index.js";
import { matrix, numbersOf, pipelineOf, randomOf, source } from "./support.js";

const zeros = (length: number) => matrix([Array.from({ length }, () => 0)]);

describe("error feedback", () => {
  it("adds to an update what earlier ones lost, as worked by hand", async () => {
    const pipeline = pipelineOf(["top_k", { ratio: 0.25 }]);
    const global = zeros(4);
    const round = async (changes: readonly number[], lost?: Weights) => {
      const encoded = await pipeline.encode(matrix([changes]), { randomOf, reference: global, lost });
      return { sent: numbersOf(await encoded.received()), lost: await encoded.lost() };
    };
    const first = await round([0.5, -1, 0.25, 0]);
    expect(first.sent).toEqual([0, -1, 0, 0]);
    expect(numbersOf(first.lost)).toEqual([0.5, 0, 0.25, 0]);
    // 0.25 + 0.5 is now the largest.
    const second = await round([0.25, 0.5, 0.25, 0], first.lost);
    expect(second.sent).toEqual([0.75, 0, 0, 0]);
    expect(numbersOf(second.lost)).toEqual([0, 0.5, 0.5, 0]);
  });

  it("keeps what a whole list lost, not what its first processor did", async () => {
    const pipeline = pipelineOf(["top_k", { ratio: 0.5 }], ["float16"]);
    const change = 1 + 2 ** -11;
    const encoded = await pipeline.encode(matrix([[change, 0.25]]), { randomOf, reference: zeros(2) });
    expect(numbersOf(await encoded.lost())).toEqual([2 ** -11, 0.25]);
  });

  it("is off where it is turned off", () => {
    expect(pipelineOf(["top_k"]).keepsError).toBe(true);
    expect(pipelineOf(["top_k", { error_feedback: false }]).keepsError).toBe(false);
    expect(pipelineOf(["qsgd"]).keepsError).toBe(false);
    expect(pipelineOf(["qsgd", { error_feedback: true }]).keepsError).toBe(true);
    expect(() => pipelineOf(["qsgd", { error_feedback: true, levels: 4 }])).toThrow(/square root/);
  });
});

describe("a payload", () => {
  it("of no processors is plain weights", async () => {
    const pipeline = createPipeline([]);
    const weights = matrix([[1, 2]]);
    const { parts, received } = await pipeline.encode(weights, { randomOf });
    expect(await received()).toBe(weights);
    expect(await pipeline.decodeWeights(source(parts, 100), {})).toEqual(weights);
  });

  it("is refused where other processors, other options or none are expected", async () => {
    const weights = matrix([[1, 2]]);
    const options = { randomOf, reference: weights };
    const { parts } = await pipelineOf(["top_k", { ratio: 0.5 }]).encode(weights, options);
    const plain = await createPipeline([]).encode(weights, { randomOf });
    const refused = (message: RegExp) =>
      expect.objectContaining({ code: "PAYLOAD_INVALID", message: expect.stringMatching(message) });
    const read = (pipeline: ReturnType<typeof pipelineOf>, bytes = parts) =>
      pipeline.decodeWeights(source(bytes, 100), { reference: weights });
    await expect(read(pipelineOf(["float16"]))).rejects.toEqual(
      refused(/processed by \[\["top_k",\{"ratio":0.5\}\]\]; expected \[\["float16",\{\}\]\]/),
    );
    await expect(read(pipelineOf(["top_k", { ratio: 0.25 }]))).rejects.toEqual(refused(/expected/));
    await expect(read(createPipeline([]))).rejects.toEqual(refused(/no processors are expected/));
    await expect(read(pipelineOf(["zstd"]), plain.parts)).rejects.toEqual(refused(/was not processed/));
  });

  it("that would grow beyond its layout is refused before memory is set aside", async () => {
    const weights = matrix([[1, 2]]);
    for (const name of ["deflate", "zstd"]) {
      const pipeline = pipelineOf([name]);
      const { parts } = await pipeline.encode(weights, { randomOf });
      const envelope = parts.slice(0, 2);
      const bomb = name === "deflate" ? deflateRawSync(Buffer.alloc(5e6)) : zstdFrame(2 ** 50);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bomb.length);
      await expect(
        pipeline.decodeWeights(source([...envelope, length, bomb], 1000), { layout: layoutOf(weights) }),
      ).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
      length.writeUInt32LE(2 ** 31);
      await expect(
        pipeline.decodeWeights(source([...envelope, length, bomb], 1000), { layout: layoutOf(weights) }),
      ).rejects.toMatchObject({
        code: "PAYLOAD_INVALID",
        message: expect.stringContaining("claims 2147483648"),
      });
    }
  });

  it("of sparse changes with doubled, falling or distant positions is refused", async () => {
    const global = zeros(4);
    const pipeline = pipelineOf(["top_k", { ratio: 0.5 }]);
    const { parts } = await pipeline.encode(matrix([[1, 2, 0, 0]]), { randomOf, reference: global });
    for (const positions of [
      [1, 1],
      [2, 1],
      [-1, 2],
      [1, 4],
    ]) {
      const bytes = Buffer.concat(parts);
      const data = bytes.length - 16;
      bytes.writeInt32LE(positions[0]!, data);
      bytes.writeInt32LE(positions[1]!, data + 4);
      await expect(pipeline.decodeWeights(source([bytes]), { reference: global })).rejects.toMatchObject({
        code: "PAYLOAD_INVALID",
      });
    }
  });

  it("of changes needs the global weights", async () => {
    await expect(pipelineOf(["qsgd"]).encode(zeros(2), { randomOf })).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
    });
  });
});

it("a processor of one's own takes part like any other", async () => {
  payloadProcessors.register("halved", () => ({
    kind: "arrays",
    encode: (arrays) => arrays.map(({ data }) => [Float32Array.from(data, (value) => value / 2)]),
  }));
  try {
    const pipeline = pipelineOf(["halved"], ["deflate"]);
    const { parts } = await pipeline.encode(matrix([[4, 6]]), { randomOf });
    expect(numbersOf(await pipeline.decodeWeights(source(parts), {}))).toEqual([2, 3]);
  } finally {
    payloadProcessors.unregister("halved");
  }
});

/** The head of a frame that claims to hold so many bytes, and nothing else. */
function zstdFrame(bytes: number): Buffer {
  const frame = Buffer.alloc(14);
  frame.writeUInt32LE(0xfd2f_b528);
  frame[4] = 0b1110_0000;
  frame.writeBigUInt64LE(BigInt(bytes), 5);
  return frame;
}
