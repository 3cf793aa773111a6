import { describe, expect, test } from "vitest";
import { OnnxGraph } from "../../src/models/onnx/onnxGraph.js";
import { constantMessage, nodeMessage, valueMessage } from "../../src/models/onnx/onnxMessages.js";
import { ProtobufMessage } from "../../src/models/onnx/protobuf.js";

const bytes = (message: ProtobufMessage) => [...message.finish()];

describe("a message in Protocol Buffers' format", () => {
  test("is written as its description says", () => {
    // The examples of protobuf.dev/programming-guides/encoding: field 1 = 150, field 2 = "testing".
    expect(bytes(new ProtobufMessage().integer(1, 150))).toEqual([0x08, 0x96, 0x01]);
    expect(bytes(new ProtobufMessage().text(2, "testing"))).toEqual([
      ...[0x12, 0x07],
      ...new TextEncoder().encode("testing"),
    ]);
    // A message in field 3, and -2 as "1" 62 times over.
    const inner = new ProtobufMessage().integer(1, 150);
    expect(bytes(new ProtobufMessage().message(3, inner))).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01]);
    expect(bytes(new ProtobufMessage().integer(1, -2))).toEqual([
      0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
    ]);
    // 1.5 is 0x3fc00000; fields from 16 on take two bytes.
    expect(bytes(new ProtobufMessage().float(20, 1.5))).toEqual([0xa5, 0x01, 0, 0, 0xc0, 0x3f]);
  });

  test("grows as it must", () => {
    const message = new ProtobufMessage();
    for (let index = 0; index < 1000; index++) message.integer(1, 5);
    expect(bytes(message)).toEqual(Array.from({ length: 1000 }, () => [8, 5]).flat());
  });
});

describe("ONNX's messages", () => {
  test("say what an operation is told, with its type", () => {
    const node = { operation: "A", domain: "", inputs: ["x", ""], outputs: ["y"] };
    const named = (...attribute: number[]) => [
      ...[0x0a, 1, 0x78, 0x0a, 0, 0x12, 1, 0x79, 0x22, 1, 0x41],
      ...[0x2a, attribute.length + 3, 0x0a, 1, 0x6e, ...attribute],
      ...[0x3a, 0],
    ];
    const written = (n: Parameters<typeof nodeMessage>[0]["attributes"][string]) =>
      bytes(nodeMessage({ ...node, attributes: { n } }));
    expect(written({ integer: 3 })).toEqual(named(0x18, 3, 0xa0, 1, 2));
    expect(written({ float: 1.5 })).toEqual(named(0x15, 0, 0, 0xc0, 0x3f, 0xa0, 1, 1));
    expect(written({ text: "t" })).toEqual(named(0x22, 1, 0x74, 0xa0, 1, 3));
    expect(written({ integers: [1, 2] })).toEqual(named(0x40, 1, 0x40, 2, 0xa0, 1, 7));
  });

  test("give values types and shapes, and constants their numbers", () => {
    const dimensions = [0x0a, 2, 0x08, 2, 0x0a, 3, 0x12, 1, 0x6e];
    const tensor = [0x08, 7, 0x12, dimensions.length, ...dimensions];
    expect(bytes(valueMessage("v", "int64", [2, "n"]))).toEqual([
      ...[0x0a, 1, 0x76, 0x12, tensor.length + 2, 0x0a, tensor.length],
      ...tensor,
    ]);
    expect(bytes(constantMessage("c", [1, 2], Float32Array.of(1.5, 0)))).toEqual([
      ...[0x08, 1, 0x08, 2, 0x10, 1, 0x42, 1, 0x63, 0x4a, 8],
      ...[0, 0, 0xc0, 0x3f, 0, 0, 0, 0],
    ]);
    expect(bytes(constantMessage("c", [], BigInt64Array.of(-1n)))).toEqual([
      ...[0x10, 7, 0x42, 1, 0x63, 0x4a, 8],
      ...new Array<number>(8).fill(255),
    ]);
  });

  test("declare an input once, and a constant that is asked for again", () => {
    const [one, two] = [new OnnxGraph(), new OnnxGraph()];
    for (const graph of [one, two]) {
      graph.input("x", "float32", ["n"]);
      graph.add("Add", ["x", graph.floats([], [2])]);
    }
    expect(two.input("x", "float32", ["n"])).toBe("x");
    expect(two.floats([], [2])).toBe(two.floats([], [2]));
    expect(two.floats([1], [2])).not.toBe(two.floats([], [2]));
    expect([...one.inputs]).toEqual(["x"]);
  });
});
