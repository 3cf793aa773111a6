import { ProtobufMessage } from "./protobuf.js";

// Fields and numbers are those of onnx.proto (github.com/onnx/onnx), IR version 10.

/** Numbers of a tensor, by ONNX's code. */
const ELEMENT_TYPES = { float32: 1, int32: 6, int64: 7 } as const;

export type ElementType = keyof typeof ELEMENT_TYPES;

/** ONNX's code for a type of numbers. */
export function elementCode(type: ElementType): number {
  return ELEMENT_TYPES[type];
}

/** Lengths of a tensor's axes; a name stands for one that is known when the graph runs. */
export type TensorShape = readonly (number | string)[];

/** What an operation is told besides its inputs. */
export type Attribute =
  | { readonly integer: number }
  | { readonly integers: readonly number[] }
  | { readonly float: number }
  | { readonly text: string };

/** One operation of a graph. */
export interface OnnxNode {
  readonly operation: string;
  /** Empty: ONNX's own. */
  readonly domain: string;
  /** Names; the empty name leaves an optional one out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** `NodeProto`. */
export function nodeMessage(node: OnnxNode): ProtobufMessage {
  const message = new ProtobufMessage();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  message.text(4, node.operation);
  for (const [name, value] of Object.entries(node.attributes)) {
    message.message(5, attributeMessage(name, value));
  }
  return message.text(7, node.domain);
}

/** `ValueInfoProto` of a tensor. */
export function valueMessage(name: string, type: ElementType, shape: TensorShape): ProtobufMessage {
  const dimensions = new ProtobufMessage();
  for (const length of shape) {
    const dimension = new ProtobufMessage();
    dimensions.message(
      1,
      typeof length === "number" ? dimension.integer(1, length) : dimension.text(2, length),
    );
  }
  const tensor = new ProtobufMessage().integer(1, ELEMENT_TYPES[type]).message(2, dimensions);
  return new ProtobufMessage().text(1, name).message(2, new ProtobufMessage().message(1, tensor));
}

/** `TensorProto` of 32-bit floats or 64-bit integers, row by row. */
export function constantMessage(
  name: string,
  shape: readonly number[],
  values: Float32Array | BigInt64Array,
): ProtobufMessage {
  const message = new ProtobufMessage();
  for (const length of shape) message.integer(1, length);
  return message
    .integer(2, ELEMENT_TYPES[values instanceof Float32Array ? "float32" : "int64"])
    .text(8, name)
    .bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

/** `AttributeProto`; its type is said by number besides. */
function attributeMessage(name: string, value: Attribute): ProtobufMessage {
  const message = new ProtobufMessage().text(1, name);
  if ("float" in value) return message.float(2, value.float).integer(20, 1);
  if ("integer" in value) return message.integer(3, value.integer).integer(20, 2);
  if ("text" in value) return message.text(4, value.text).integer(20, 3);
  for (const one of value.integers) message.integer(8, one);
  return message.integer(20, 7);
}
