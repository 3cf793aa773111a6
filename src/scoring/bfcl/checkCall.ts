import { javascriptValue, javaValue } from "./codeValues.js";
import { type FunctionDescription, type Language, type ParameterType, parameterType } from "./description.js";
import { dictFault, dictsFault, listFault, textFault } from "./possibleValues.js";
import { equalValues, type FunctionCall, isText, type Value } from "./value.js";

/** A call that is right: for each parameter the values that it may have; an empty text among them: none at all. */
export interface Expected {
  readonly name: string;
  readonly possible: ReadonlyMap<string, readonly Value[]>;
}

/**
 * What is wrong with one call; undefined where it is right. The rules are those of the Berkeley Function-Calling
 * Leaderboard (Patil et al. 2024), as Llama Stack had them.
 * @throws Error for a description that cannot be used
 */
export function checkCall(
  call: FunctionCall,
  description: FunctionDescription,
  { possible }: Expected,
  language: Language,
): string | undefined {
  const { properties, required } = description.parameters;
  if (call.name !== description.name) return `it calls ${call.name} and not ${description.name}`;
  const missing = required.find((name) => !call.given.has(name));
  if (missing !== undefined) return `the parameter ${missing} is missing`;
  for (const [name, given] of call.given) {
    const values = possible.get(name);
    if (!Object.hasOwn(properties, name) || values === undefined) return `it has no parameter ${name}`;
    const type = parameterType(properties[name]!, language);
    const fault = valueFault(typed(given, type, language), type, values);
    if (fault !== undefined) return `${name} ${fault}`;
  }
  const omitted = [...possible].find(([name, values]) => !call.given.has(name) && !values.some(isOmission));
  return omitted && `the parameter ${omitted[0]} is missing`;
}

const isOmission = (value: Value) => isText(value, "");

/** The value as the language's type has it: Python's tuple as a list, its int as a float; code as a value. */
function typed(given: Value, { type, itemType }: ParameterType, language: Language): Value {
  if (language === "Python") {
    if (type === "tuple" && given.kind === "tuple") return { ...given, kind: "list" };
    if (type === "float" && given.kind === "int") return { ...given, kind: "float" };
    return given;
  }
  if (given.kind !== "str") throw new Error("code that is no text");
  return language === "Java"
    ? javaValue(given.value, type, itemType)
    : javascriptValue(given.value, type, itemType);
}

function valueFault(value: Value, type: ParameterType, possible: readonly Value[]): string | undefined {
  const match = typeMatch(value, type.kind, type.itemKind, possible);
  if (match === undefined) return `is of type ${value.kind} and not ${type.type}`;
  // A variable stands for a value, and is compared as it is.
  if (match === "value") {
    if (type.kind === "dict") return dictFault(value, possible);
    if (type.kind === "list" && type.itemKind === "dict") return dictsFault(value, possible);
    if (type.kind === "str") return textFault(value, possible);
    if (type.kind === "list") return listFault(value, possible);
  }
  return possible.some((one) => equalValues(one, value)) ? undefined : "has another value";
}

/**
 * Whether a value has the type, or is a variable, whose type is that of the possible values; undefined for neither.
 * Items are looked at one level deep.
 */
function typeMatch(
  value: Value,
  expected: ParameterType["kind"],
  item: ParameterType["itemKind"],
  possible: readonly Value[],
): "value" | "variable" | undefined {
  const possibleKind = possible.find((one) => !isOmission(one))?.kind;
  const found = possibleKind !== undefined && possibleKind !== expected ? "variable" : "value";
  if (value.kind !== expected) return value.kind === possibleKind ? "variable" : undefined;
  if (item === undefined || value.kind !== "list") return found;
  const { items } = value;
  const fits = possible.some(
    (one) =>
      one.kind !== "list" || items.every((held) => typeMatch(held, item, undefined, one.items) !== undefined),
  );
  return fits ? found : undefined;
}
