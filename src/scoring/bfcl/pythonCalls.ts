import { type Node, pythonNodes } from "./pythonNodes.js";
import { pythonText } from "./pythonText.js";
import { type FunctionCall, str, type Value } from "./value.js";

/**
 * The calls in a Python expression: one, or a list or tuple of some. Nothing is run: arithmetic of constants is worked
 * out, a name is a text, and so is a call without names for its arguments.
 * @throws Error for anything else
 */
export function pythonCalls(source: string): FunctionCall[] {
  const node = pythonNodes(source.replace(/^[[\]']+|[[\]']+$/g, ""));
  if (node.kind === "call") return [callOf(node)];
  if (node.kind !== "list" && node.kind !== "tuple") throw new Error("no call");
  return node.items.map((item) => {
    if (item.kind === "call") return callOf(item);
    throw new Error("something that is no call among the calls");
  });
}

function callOf(node: Extract<Node, { kind: "call" }>): FunctionCall {
  const given = new Map<string, Value>();
  for (const { name, value } of node.given) {
    if (name !== undefined) given.set(name, valueOfNode(value));
    // Arguments in one dictionary count as named, others without a name not at all.
    else if (value.kind === "dict") {
      for (const [key, entry] of value.entries) given.set(keyOf(key), valueOfNode(entry));
    }
  }
  return { name: calleeOf(node.of), given };
}

/** `a.b.c`. */
function calleeOf(node: Node): string {
  if (node.kind === "name") return node.text;
  if (node.kind === "attribute") {
    const before = calleeOf(node.of);
    return before === "" ? node.name : `${before}.${node.name}`;
  }
  return "";
}

function valueOfNode(node: Node): Value {
  switch (node.kind) {
    case "constant":
      return node.value;
    case "ellipsis":
      return str("...");
    case "name":
      return str(node.text);
    case "list":
    case "tuple":
      return { kind: node.kind, items: node.items.map(valueOfNode) };
    case "dict":
      return {
        kind: "dict",
        entries: new Map(node.entries.map(([key, value]) => [keyOf(key), valueOfNode(value)])),
      };
    case "unary":
      return negative(node.of);
    case "binary":
      return workedOut(node);
    case "call": {
      if (node.given.every(({ name }) => name === undefined)) return str(pythonText(node));
      const { name, given } = callOf(node);
      return { kind: "dict", entries: new Map([[name, { kind: "dict", entries: given }]]) };
    }
    case "subscript":
      return str(pythonText(node));
    case "attribute":
      throw new Error("an attribute where a value was expected");
  }
}

function keyOf(node: Node): string {
  const key = valueOfNode(node);
  if (key.kind === "str") return key.value;
  if (key.kind === "int" || key.kind === "float" || key.kind === "bool") return String(key.value);
  throw new Error("a key that is no text or number");
}

/** Whatever sign stands there, as the original reads them. */
function negative(node: Node): Value {
  if (node.kind !== "constant") throw new Error("a sign before something that is no constant");
  const { value } = node;
  if (value.kind === "int" || value.kind === "float") return { kind: value.kind, value: -value.value };
  if (value.kind === "bool") return { kind: "int", value: -Number(value.value) };
  throw new Error("a sign before something that is no number");
}

/** Arithmetic of constants. @throws Error where a name or a text stands in it */
function workedOut({ sign, left, right }: Extract<Node, { kind: "binary" }>): Value {
  const [a, b] = [operand(left), operand(right)];
  if (a.kind === "str" && b.kind === "str" && sign === "+") return str(a.value + b.value);
  if (a.kind === "str" || b.kind === "str") throw new Error("arithmetic with a text");
  const value = arithmetic(sign, a.value, b.value);
  if (!Number.isFinite(value)) throw new Error("arithmetic without a result");
  const whole = a.kind === "int" && b.kind === "int" && sign !== "/" && Number.isInteger(value);
  return { kind: whole ? "int" : "float", value };
}

function operand(node: Node): Extract<Value, { kind: "str" | "int" | "float" }> {
  const value = node.kind === "name" ? undefined : valueOfNode(node);
  if (value?.kind === "str" || value?.kind === "int" || value?.kind === "float") return value;
  throw new Error("arithmetic with something that is no number");
}

function arithmetic(sign: string, a: number, b: number): number {
  switch (sign) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? Number.NaN : a / b;
    case "//":
      return Math.floor(a / b);
    case "%":
      return a - b * Math.floor(a / b);
    default:
      return a ** b;
  }
}
