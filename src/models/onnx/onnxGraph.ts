import {
  type Attribute,
  constantMessage,
  type ElementType,
  nodeMessage,
  type TensorShape,
  valueMessage,
} from "./onnxMessages.js";
import { ProtobufMessage } from "./protobuf.js";

/** ONNX's own operations, and those that onnxruntime adds. */
const VERSIONS = { "": 23, "com.microsoft": 1 } as const;
const IR_VERSION = 10;

/** A tensor of a graph, by name. Empty: none. */
export type Value = string;

/** Attributes by name: a number or numbers are whole ones, a float says so. */
export type Attributes = Readonly<Record<string, number | readonly number[] | string | { float: number }>>;

/** A computation in the making: operations in the order in which they are added. */
export class OnnxGraph {
  readonly #graph = new ProtobufMessage();
  readonly #inputs = new Set<Value>();
  readonly #constants = new Map<string, Value>();
  #values = 0;

  /** Names of the inputs so far. */
  get inputs(): ReadonlySet<Value> {
    return this.#inputs;
  }

  /** An input of that name; asking again gives the same. */
  input(name: string, type: ElementType, shape: TensorShape): Value {
    if (!this.#inputs.has(name)) this.#graph.message(11, valueMessage(name, type, shape));
    this.#inputs.add(name);
    return name;
  }

  /** Gives out a value, by the name it has. */
  output(value: Value, shape: TensorShape, type: ElementType = "float32"): void {
    this.#graph.message(12, valueMessage(value, type, shape));
  }

  /** @param values as many as the shape holds */
  floats(shape: readonly number[], values: readonly number[]): Value {
    return this.#constant(`floats ${shape}: ${values}`, shape, Float32Array.from(values));
  }

  /** Whole numbers in a row. */
  integers(...values: number[]): Value {
    return this.#constant(`integers ${values}`, [values.length], BigInt64Array.from(values, BigInt));
  }

  /** Adds one of ONNX's own operations. @returns its first output */
  add(operation: string, inputs: readonly Value[], attributes?: Attributes): Value {
    return this.several(operation, inputs, 1, attributes)[0]!;
  }

  /** Adds one of ONNX's own operations that has several outputs. */
  several(operation: string, inputs: readonly Value[], count: number, attributes?: Attributes): Value[] {
    return this.#node(operation, inputs, this.#names(count), attributes);
  }

  /** Adds an operation that onnxruntime has besides ONNX's own. */
  contributed(operation: string, inputs: readonly Value[], count: number, attributes?: Attributes): Value[] {
    return this.#node(operation, inputs, this.#names(count), attributes, "com.microsoft");
  }

  /** The model file. */
  encode(name: string): Uint8Array {
    const model = new ProtobufMessage().integer(1, IR_VERSION).text(2, "elenchus");
    for (const [domain, version] of Object.entries(VERSIONS)) {
      model.message(8, new ProtobufMessage().text(1, domain).integer(2, version));
    }
    return model.message(7, this.#graph.text(2, name)).finish();
  }

  #names(count: number): Value[] {
    return Array.from({ length: count }, () => `value.${this.#values++}`);
  }

  #node(
    operation: string,
    inputs: readonly Value[],
    outputs: Value[],
    attributes: Attributes = {},
    domain: keyof typeof VERSIONS = "",
  ): Value[] {
    const told = Object.entries(attributes).map(([name, value]) => [name, attributeOf(value)] as const);
    this.#graph.message(
      1,
      nodeMessage({ operation, domain, inputs, outputs, attributes: Object.fromEntries(told) }),
    );
    return outputs;
  }

  #constant(key: string, shape: readonly number[], values: Float32Array | BigInt64Array): Value {
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const name = `constant.${this.#constants.size}`;
    this.#constants.set(key, name);
    this.#graph.message(5, constantMessage(name, shape, values));
    return name;
  }
}

function attributeOf(value: Attributes[string]): Attribute {
  if (typeof value === "number") return { integer: value };
  if (typeof value === "string") return { text: value };
  return "float" in value ? value : { integers: value };
}
