import type { Node } from "./pythonNodes.js";
import type { Value } from "./value.js";

/** An expression written out as Python's `ast.unparse` writes it. */
export function pythonText(node: Node): string {
  switch (node.kind) {
    case "constant":
      return constantText(node.value);
    case "ellipsis":
      return "...";
    case "name":
      return node.text;
    case "attribute":
      return `${pythonText(node.of)}.${node.name}`;
    case "subscript":
      return `${pythonText(node.of)}[${pythonText(node.at)}]`;
    case "call":
      return `${pythonText(node.of)}(${node.given
        .map(({ name, value }) => (name === undefined ? pythonText(value) : `${name}=${pythonText(value)}`))
        .join(", ")})`;
    case "list":
      return `[${node.items.map(pythonText).join(", ")}]`;
    case "tuple":
      return node.items.length === 1
        ? `(${pythonText(node.items[0]!)},)`
        : `(${node.items.map(pythonText).join(", ")})`;
    case "dict":
      return `{${node.entries.map(([key, value]) => `${pythonText(key)}: ${pythonText(value)}`).join(", ")}}`;
    case "unary":
      return `${node.sign}${pythonText(node.of)}`;
    case "binary":
      return `${pythonText(node.left)} ${node.sign} ${pythonText(node.right)}`;
  }
}

function constantText(value: Value): string {
  if (value.kind === "none") return "None";
  if (value.kind === "bool") return value.value ? "True" : "False";
  if (value.kind === "int") return String(value.value);
  if (value.kind === "float") return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
  if (value.kind !== "str") throw new Error("no constant");
  const quote = value.value.includes("'") && !value.value.includes('"') ? '"' : "'";
  const inner = value.value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `${quote}${quote === "'" ? inner.replaceAll("'", "\\'") : inner}${quote}`;
}
