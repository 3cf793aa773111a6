// The reference's small GPT as an ONNX file, written by hand and byte by byte: a peer that shares no line with the
// product's own graphs. Plain operations, weights inside the file.
import type { Weights } from "../src/weights/index.js";

type Bytes = Uint8Array;

/** Sizes of the network. */
export interface HandMadeShape {
  readonly layers: number;
  readonly heads: number;
  readonly width: number;
  readonly context: number;
}

/** A model file: `tokens` int64 [batch, context] become `logits` [batch, context, vocabulary]. */
export function handMadeGpt(weights: Weights, { layers, heads, width, context }: HandMadeShape): Bytes {
  const nodes: Bytes[] = [];
  const tensors: Bytes[] = [];
  const node = (op: string, inputs: string[], output: string | string[], attributes: Bytes[] = []) => {
    const outputs = [output].flat();
    nodes.push(
      join(
        ...inputs.map((name) => text(1, name)),
        ...outputs.map((name) => text(2, name)),
        text(4, op),
        ...attributes.map((attribute) => block(5, attribute)),
      ),
    );
    return outputs[0]!;
  };
  const floats = (name: string, shape: readonly number[], values: Float32Array) => {
    tensors.push(tensor(name, 1, shape, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)));
    return name;
  };
  const integers = (name: string, values: number[]) => {
    tensors.push(tensor(name, 7, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer)));
    return name;
  };
  const weight = (name: string) => {
    const { shape, data } = weights.get(name)!;
    return floats(name, shape, data as Float32Array);
  };
  const linear = (input: string, layer: string, output: string) => {
    const product = node("MatMul", [input, weight(`${layer}.weight`)], `${output} product`);
    return node("Add", [product, weight(`${layer}.bias`)], output);
  };
  const norm = (input: string, layer: string, output: string) =>
    node("LayerNormalization", [input, weight(`${layer}.weight`), weight(`${layer}.bias`)], output, [
      integer("axis", -1),
      float("epsilon", 1e-5),
    ]);

  integers("by head", [0, 0, heads, width / heads]);
  integers("joined", [0, 0, width]);
  integers("places", [...Array(context).keys()]);
  floats("scale", [], Float32Array.of(1 / Math.sqrt(width / heads)));
  const mask = new Float32Array(context * context);
  for (let row = 0; row < context; row++) mask.fill(-1e9, row * context + row + 1, (row + 1) * context);
  floats("mask", [1, 1, context, context], mask);

  weight("transformer.wte.weight");
  const embedded = node("Gather", ["transformer.wte.weight", "tokens"], "token states");
  const placed = node("Gather", [weight("transformer.wpe.weight"), "places"], "place states");
  let stream = node("Add", [embedded, placed], "stream");
  for (let layer = 0; layer < layers; layer++) {
    const block = `transformer.h.${layer}`;
    const named = (name: string) => `${name} ${layer}`;
    const all = linear(norm(stream, `${block}.ln_1`, named("norm 1")), `${block}.attn.c_attn`, named("all"));
    const parts = ["queries", "keys", "values"].map(named);
    node("Split", [all], parts, [integer("axis", -1), integer("num_outputs", 3)]);
    const [queries, keys, values] = parts.map((part, index) =>
      node("Transpose", [node("Reshape", [part, "by head"], `${part} split`)], `${part} by head`, [
        numbers("perm", index === 1 ? [0, 2, 3, 1] : [0, 2, 1, 3]),
      ]),
    );
    const scaled = node("Mul", [queries!, "scale"], named("scaled"));
    const scores = node("Add", [node("MatMul", [scaled, keys!], named("scores")), "mask"], named("masked"));
    const shares = node("Softmax", [scores], named("shares"), [integer("axis", -1)]);
    const mixed = node("Transpose", [node("MatMul", [shares, values!], named("mixed"))], named("turned"), [
      numbers("perm", [0, 2, 1, 3]),
    ]);
    const joined = node("Reshape", [mixed, "joined"], named("joined"));
    stream = node("Add", [stream, linear(joined, `${block}.attn.c_proj`, named("out"))], named("after 1"));
    const inner = linear(norm(stream, `${block}.ln_2`, named("norm 2")), `${block}.mlp.c_fc`, named("inner"));
    const active = node("Gelu", [inner], named("active"), [word("approximate", "tanh")]);
    stream = node("Add", [stream, linear(active, `${block}.mlp.c_proj`, named("back"))], named("after 2"));
  }
  const last = norm(stream, "transformer.ln_f", "last");
  const table = node("Transpose", ["transformer.wte.weight"], "table", [numbers("perm", [1, 0])]);
  node("MatMul", [last, table], "logits");

  const graph = join(
    ...nodes.map((one) => block(1, one)),
    text(2, "gpt"),
    ...tensors.map((one) => block(5, one)),
    block(11, join(text(1, "tokens"), block(2, block(1, number(1, 7))))),
    block(12, join(text(1, "logits"), block(2, block(1, number(1, 1))))),
  );
  return join(number(1, 10), block(8, number(2, 20)), block(7, graph));
}

function tensor(name: string, type: number, shape: readonly number[], data: Bytes): Bytes {
  return join(...shape.map((length) => number(1, length)), number(2, type), text(8, name), block(9, data));
}

function integer(name: string, value: number): Bytes {
  return join(text(1, name), number(3, value), number(20, 2));
}

function float(name: string, value: number): Bytes {
  return join(
    text(1, name),
    Uint8Array.of(0x15),
    new Uint8Array(Float32Array.of(value).buffer),
    number(20, 1),
  );
}

function word(name: string, value: string): Bytes {
  return join(text(1, name), text(4, value), number(20, 3));
}

function numbers(name: string, values: number[]): Bytes {
  return join(text(1, name), ...values.map((value) => number(8, value)), number(20, 7));
}

function text(field: number, value: string): Bytes {
  return block(field, Buffer.from(value));
}

function block(field: number, content: Bytes): Bytes {
  return join(varint(field * 8 + 2), varint(content.length), content);
}

function number(field: number, value: number): Bytes {
  return join(varint(field * 8), varint(value));
}

function varint(value: number): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest % 128n) + 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

function join(...parts: Bytes[]): Bytes {
  return Buffer.concat(parts);
}
