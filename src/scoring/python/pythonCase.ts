/*
 * Case and ends of a text as Python's `str` has them. What counts as upper or lower case is Unicode's, title case
 * (`ǅ`) is neither.
 */

const LOWER = /\p{Lowercase}/u;
const UPPER = /\p{Uppercase}/u;
const TITLE = /\p{Lt}/u;

/** `str.isupper()`: at least one upper-case character, none in lower or title case. */
export function isUpper(text: string): boolean {
  return UPPER.test(text) && !LOWER.test(text) && !TITLE.test(text);
}

/** `str.islower()`: at least one lower-case character, none in upper or title case. */
export function isLower(text: string): boolean {
  return LOWER.test(text) && !UPPER.test(text) && !TITLE.test(text);
}

/** The first character, whole even where it takes two UTF-16 units; empty for the empty text. */
export function firstCharacter(text: string): string {
  const code = text.codePointAt(0);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** `str.lstrip(character)`: all of that one ASCII character at the start. */
export function stripStart(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start++;
  return text.slice(start);
}

/** `str.rstrip(character)`. */
export function stripEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** `str.strip(character)`. */
export function stripBoth(text: string, character: string): string {
  return stripEnd(stripStart(text, character), character);
}

/** `str.removeprefix`. */
export function removePrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** `str.removesuffix`. */
export function removeSuffix(text: string, suffix: string): string {
  return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
}
