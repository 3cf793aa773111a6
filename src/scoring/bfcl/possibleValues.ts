import { equalValues, isText, str, type Value } from "./value.js";

/** Texts are compared without blanks and some marks, in lower case, with one kind of quotation mark. */
function alike(value: Value): Value {
  if (value.kind !== "str") return value;
  return str(
    value.value
      .replace(/[ ,./\-_*^]/g, "")
      .toLowerCase()
      .replaceAll("'", '"'),
  );
}

/** @returns what is wrong; undefined where the text is a possible one */
export function textFault(value: Value, possible: readonly Value[]): string | undefined {
  const text = alike(value);
  return possible.some((one) => one.kind === "str" && equalValues(alike(one), text))
    ? undefined
    : "has another text";
}

/** @throws Error for a possible value that has no items */
export function listFault(value: Value, possible: readonly Value[]): string | undefined {
  const given: Value = { kind: "list", items: itemsOf(value).map(alike) };
  const lists = possible.map((one): Value => ({ kind: "list", items: itemsOf(one).map(alike) }));
  return lists.some((one) => equalValues(one, given)) ? undefined : "has other items";
}

/** Of a dictionary: each key has one of its possible values, and what is missing may be. */
export function dictFault(value: Value, possible: readonly Value[]): string | undefined {
  const candidates = possible.filter((one) => !isText(one, ""));
  return candidates.some((one) => isPossibleDict(value, one)) ? undefined : "has other entries";
}

/** Of a list of dictionaries: as many, in the order of one of the possible lists. */
export function dictsFault(value: Value, possible: readonly Value[]): string | undefined {
  const given = itemsOf(value);
  const right = possible.some((one) => {
    const wanted = itemsOf(one);
    return (
      wanted.length === given.length && given.every((dict, place) => isPossibleDict(dict, wanted[place]!))
    );
  });
  return right ? undefined : "has other dictionaries";
}

function isPossibleDict(value: Value, possible: Value): boolean {
  if (value.kind !== "dict" || possible.kind !== "dict")
    throw new Error("no dictionary where one was described");
  for (const [key, entry] of value.entries) {
    const wanted = possible.entries.get(key);
    if (wanted === undefined) return false;
    const given = alike(entry);
    if (!itemsOf(wanted).some((one) => equalValues(alike(one), given))) return false;
  }
  return [...possible.entries].every(
    ([key, wanted]) => value.entries.has(key) || itemsOf(wanted).some((one) => isText(one, "")),
  );
}

/** A text's items are its characters. */
function itemsOf(value: Value): readonly Value[] {
  if (value.kind === "list" || value.kind === "tuple") return value.items;
  if (value.kind === "str") return [...value.value].map(str);
  throw new Error("a value without items where a list was described");
}
