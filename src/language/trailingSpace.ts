/** A text without the white space at its end, and that white space. */
export function splitTrailingSpace(text: string): [text: string, space: string] {
  let end = text.length;
  while (end > 0 && SPACES.has(text.charCodeAt(end - 1))) end--;
  return [text.slice(0, end), text.slice(end)];
}

/** What Python's `str.isspace` takes for white space; JavaScript has a byte order mark too, and fewer controls. */
const SPACES = new Set([
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
]);
