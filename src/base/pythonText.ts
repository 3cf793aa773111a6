/*
 * What Python's `str` does where JavaScript's strings do something else. Published scores depend on it: which
 * characters are white space, where a word begins, how many characters a text has.
 */

/** What `str.isspace` holds for: controls U+001C to U+001F and U+0085 too, but no byte order mark. */
export const PYTHON_SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const AT_START = new RegExp(`^[${PYTHON_SPACE}]+`);
const SPACES = new RegExp(`[${PYTHON_SPACE}]+`);
const ONE_SPACE = new RegExp(`[${PYTHON_SPACE}]`);

/** `str.strip()`. */
export function pythonStrip(text: string): string {
  return pythonLeftStrip(pythonRightStrip(text));
}

/** `str.lstrip()`. */
export function pythonLeftStrip(text: string): string {
  return text.replace(AT_START, "");
}

/** `str.rstrip()`. */
export function pythonRightStrip(text: string): string {
  let end = text.length;
  while (end > 0 && ONE_SPACE.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** `str.split()`: the words between white space, none empty. */
export function pythonWords(text: string): string[] {
  const stripped = pythonStrip(text);
  return stripped === "" ? [] : stripped.split(SPACES);
}

/** Number of characters, which are code points: `len`. */
export function pythonLength(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `str.capitalize`: the first character in title case, all others in lower case. */
export function pythonCapitalize(text: string): string {
  const [first = ""] = text;
  // Lower case of the whole, as a final sigma depends on what stands before it.
  return titleCase(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

/** By code points, as Python sorts texts; UTF-16 units have another order beyond U+FFFF. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let place = 0;
  while (place < length && one.charCodeAt(place) === other.charCodeAt(place)) place++;
  if (place === length) return one.length - other.length;
  const [a, b] = [one.charCodeAt(place), other.charCodeAt(place)];
  // Surrogates stand for code points above all other units.
  const lifted = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
  return lifted(a) - lifted(b);
}

/** Four letters have a title case of their own: dž, lj, nj, dz and their forms. */
const DIGRAPHS: ReadonlyMap<string, string> = new Map(
  ["\u01c4\u01c5\u01c6", "\u01c7\u01c8\u01c9", "\u01ca\u01cb\u01cc", "\u01f1\u01f2\u01f3"].flatMap((forms) =>
    [...forms].map((form) => [form, forms[1]!] as const),
  ),
);

function titleCase(character: string): string {
  const digraph = DIGRAPHS.get(character);
  if (digraph !== undefined) return digraph;
  const [upper = "", ...more] = character.toUpperCase();
  return upper + more.join("").toLowerCase();
}
