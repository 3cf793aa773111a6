import { quotedText, splitCode } from "./codeLevels.js";
import { str, type Value } from "./value.js";

/** What of a Java text a parameter of that type is; one that does not fit stays a text. @throws Error for other types */
export function javaValue(code: string, type: string, nested?: string): Value {
  switch (type) {
    case "byte":
    case "short":
    case "integer":
      return number(code, /^-?\d+$/, "int");
    case "long":
      return number(code, /^(-?\d+)[lL]$/, "int");
    case "float":
      return number(code, /^(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)[fF]$/, "float");
    case "double":
      return number(code, /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/, "float");
    case "boolean":
      return truth(code);
    case "Array":
      return list(/^new\s+[\w<>]+\s*\[\]\s*\{([\s\S]*)\}$/.exec(code)?.[1], code, javaItem(nested));
    case "ArrayList":
      return javaList(code, javaItem(nested));
    case "HashMap":
      return javaMap(code);
    case "char":
    case "String":
    case "any":
      return str(code);
    default:
      throw new Error(`${type} is a type whose values cannot be read`);
  }
}

/** The same for JavaScript. */
export function javascriptValue(code: string, type: string, nested?: string): Value {
  switch (type) {
    case "integer":
      return number(code, /^-?\d+$/, "int");
    case "Bigint":
      return number(code, /^(-?\d+)n$/, "int");
    case "float":
      return number(code, /^-?\d+(?:\.\d+)?$/, "float");
    case "Boolean":
      return truth(code);
    case "array": {
      const inside = /^(?:\[([\s\S]*)\]|new\s+Array\(([\s\S]*)\))$/.exec(code);
      return list(inside?.[1] ?? inside?.[2], code, javascriptItem(nested));
    }
    case "dict":
      return javascriptObject(code);
    case "String":
      return str(quotedText(code) ?? code);
    case "any":
      return str(code);
    default:
      throw new Error(`${type} is a type whose values cannot be read`);
  }
}

type Item = (code: string) => Value;

function javaItem(nested: string | undefined): Item {
  if (nested === undefined) return anyValue;
  return nested === "String" || nested === "char"
    ? (code) => str(quotedText(code) ?? code)
    : (code) => javaValue(code, nested);
}

function javascriptItem(nested: string | undefined): Item {
  if (nested === undefined || nested === "array") return anyValue;
  return (code) => javascriptValue(code, nested);
}

/** @param inside of the brackets; undefined where the code is no list, which then stays a text */
function list(inside: string | undefined, code: string, item: Item): Value {
  if (inside === undefined) return str(code);
  return { kind: "list", items: parts(inside).map(item) };
}

function javaList(code: string, item: Item): Value {
  const [, asList, adds] =
    /^new\s+ArrayList<[\w<>, ]*>\((?:Arrays\.asList\(([\s\S]*)\))?\)\s*(?:\{\s*\{([\s\S]*)\}\s*\})?$/.exec(
      code,
    ) ?? [];
  if (asList !== undefined) return list(asList, code, item);
  if (adds === undefined)
    return /^new\s+ArrayList<[^>]*>\(\)/.test(code) ? { kind: "list", items: [] } : str(code);
  const added = [...adds.matchAll(/add\(((?:"(?:[^"\\]|\\.)*"|[^()"])*)\)/g)];
  return { kind: "list", items: added.map(([, one]) => item(one!.trim())) };
}

function javaMap(code: string): Value {
  if (!/^new\s+HashMap<.*?>\s*\(\)/s.test(code)) return str(code);
  const puts = [...code.matchAll(/put\("((?:[^"\\]|\\.)*)",\s*((?:"(?:[^"\\]|\\.)*"|[^()"])*)\)/g)];
  return { kind: "dict", entries: new Map(puts.map(([, key, value]) => [key!, anyValue(value!.trim())])) };
}

function javascriptObject(code: string): Value {
  const inside = /^\{([\s\S]*)\}$/.exec(code)?.[1];
  if (inside === undefined) return str(code);
  const entries = parts(inside).map((pair) => {
    const [key, ...value] = splitCode(pair, ":");
    return [quotedText(key!.trim()) ?? key!.trim(), anyValue(value.join(":").trim())] as const;
  });
  return { kind: "dict", entries: new Map(entries) };
}

/** A value whose type nobody said. */
function anyValue(code: string): Value {
  if (code === "true" || code === "false") return truth(code);
  const text = quotedText(code);
  if (text !== undefined) return str(text);
  if (/^\[[\s\S]*\]$/.test(code)) return list(code.slice(1, -1), code, anyValue);
  if (/^\{[\s\S]*\}$/.test(code)) return javascriptObject(code);
  if (/^-?\d+[lL]?$/.test(code)) return number(code, /^(-?\d+)[lL]?$/, "int");
  return number(code, /^(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)[fF]?$/, "float");
}

function number(code: string, pattern: RegExp, kind: "int" | "float"): Value {
  const found = pattern.exec(code);
  return found === null ? str(code) : { kind, value: Number(found[1] ?? found[0]) };
}

function truth(code: string): Value {
  return code === "true" || code === "false" ? { kind: "bool", value: code === "true" } : str(code);
}

function parts(inside: string): string[] {
  return splitCode(inside, ",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
