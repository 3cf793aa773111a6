import { z } from "zod";
import type { Kind } from "./value.js";

/** What is read of a function's description. */
export const functionSchema = z.object({
  name: z.string(),
  parameters: z.object({
    properties: z.record(
      z.string(),
      z.object({ type: z.string(), items: z.object({ type: z.string() }).optional() }),
    ),
    required: z.array(z.string()).default([]),
  }),
});

export type FunctionDescription = z.output<typeof functionSchema>;
export type Language = "Python" | "Java" | "JavaScript";

/** What a described type is in Python; a `set` is nothing that a call can have. */
const KINDS: Readonly<Record<Language, Readonly<Record<string, Kind | "set">>>> = {
  Python: {
    string: "str",
    integer: "int",
    float: "float",
    boolean: "bool",
    array: "list",
    tuple: "list",
    dict: "dict",
    any: "str",
  },
  Java: {
    byte: "int",
    short: "int",
    integer: "int",
    float: "float",
    double: "float",
    long: "int",
    boolean: "bool",
    char: "str",
    Array: "list",
    ArrayList: "list",
    Set: "set",
    HashMap: "dict",
    Hashtable: "dict",
    Queue: "list",
    Stack: "list",
    String: "str",
    any: "str",
  },
  JavaScript: {
    String: "str",
    integer: "int",
    float: "float",
    Bigint: "int",
    Boolean: "bool",
    dict: "dict",
    array: "list",
    any: "str",
  },
};

/** Types whose items have a type of their own. */
const NESTED: Readonly<Record<Language, readonly string[]>> = {
  Python: ["array", "tuple"],
  Java: ["Array", "ArrayList"],
  JavaScript: ["array"],
};

/** A parameter's type, and that of its items. */
export interface ParameterType {
  readonly type: string;
  readonly kind: Kind | "set";
  readonly itemType: string | undefined;
  readonly itemKind: Kind | "set" | undefined;
}

/** @throws Error for a type that the language does not have, or items without one */
export function parameterType(
  { type, items }: FunctionDescription["parameters"]["properties"][string],
  language: Language,
): ParameterType {
  const kind = kindOf(type, language);
  if (!NESTED[language].includes(type)) return { type, kind, itemType: undefined, itemKind: undefined };
  if (items === undefined) throw new Error(`${type} without the type of its items`);
  return { type, kind, itemType: items.type, itemKind: kindOf(items.type, language) };
}

function kindOf(type: string, language: Language): Kind | "set" {
  const kinds = KINDS[language];
  if (Object.hasOwn(kinds, type)) return kinds[type]!;
  throw new Error(`${language} has no type ${type}`);
}
