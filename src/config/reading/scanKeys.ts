/** Names and list places from the root to a value. */
export type KeyPath = readonly (string | number)[];

/** A path as the key of a map. */
export function pathKey(path: KeyPath): string {
  return JSON.stringify(path);
}

/** Paths longer than this end the scan: no configuration nests so deep, and recursion must end. */
export const DEEPEST_PATH = 100;

/**
 * The line, from 1, on which each key path of a TOML document stands: tables, keys and list items. Values are
 * skipped, not read. The document need not be valid: the scan ends quietly where it is not, having seen every
 * key before that place.
 * @param text with `\n` as line end
 * @returns lines by `pathKey`
 */
export function scanKeys(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const lengths = new Map<string, number>();
  const lineAt = lineCounter(text);
  let at = 0;

  const note = (path: KeyPath, position: number, replace = false): void => {
    const key = pathKey(path);
    if (replace || !lines.has(key)) lines.set(key, lineAt(position));
    if (path.length > DEEPEST_PATH) throw new ScanEnd();
  };

  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };

  const expect = (mark: string): void => {
    if (!text.startsWith(mark, at)) throw new ScanEnd();
    at += mark.length;
  };

  /** The names of a dotted key. */
  const names = (): string[] => {
    const found: string[] = [];
    do {
      skip(SPACE);
      found.push(name());
      skip(SPACE);
    } while (skip(DOT) !== "");
    return found;
  };

  const name = (): string => {
    const literal = skip(LITERAL);
    if (literal !== "") return literal.slice(1, -1);
    const basic = skip(BASIC);
    if (basic !== "") return decodeEscapes(basic.slice(1, -1));
    const bare = skip(BARE);
    if (bare === "") throw new ScanEnd();
    return bare;
  };

  /** `[a.b]` or `[[a.b]]`; the path of the table that the following keys go into. */
  const header = (): KeyPath => {
    const start = at;
    const isList = text.startsWith("[[", at);
    expect(isList ? "[[" : "[");
    const found = names();
    expect(isList ? "]]" : "]");
    const path: (string | number)[] = [];
    for (const [place, segment] of found.entries()) {
      const last = place === found.length - 1;
      path.push(segment);
      note(path, start, last && !isList);
      const length = lengths.get(pathKey(path)) ?? 0;
      if (last && isList) {
        lengths.set(pathKey(path), length + 1);
        path.push(length);
        note(path, start);
      } else if (length > 0) {
        path.push(length - 1);
      }
    }
    return path;
  };

  const assignment = (table: KeyPath): void => {
    const start = at;
    const path = [...table];
    for (const segment of names()) {
      path.push(segment);
      note(path, start);
    }
    expect("=");
    skip(SPACE);
    value(path);
  };

  const value = (path: KeyPath): void => {
    if (text.startsWith("[", at)) list(path);
    else if (text.startsWith("{", at)) inlineTable(path);
    else if (text.startsWith('"""', at)) expectFound(MULTI_BASIC);
    else if (text.startsWith("'''", at)) expectFound(MULTI_LITERAL);
    else if (text.startsWith('"', at)) expectFound(BASIC);
    else if (text.startsWith("'", at)) expectFound(LITERAL);
    else expectFound(SCALAR);
  };

  const expectFound = (pattern: RegExp): void => {
    if (skip(pattern) === "") throw new ScanEnd();
  };

  const list = (path: KeyPath): void => {
    expect("[");
    for (let place = 0; ; place++) {
      skip(BLANK);
      if (text.startsWith("]", at)) break;
      note([...path, place], at);
      value([...path, place]);
      skip(BLANK);
      if (skip(COMMA) === "") break;
    }
    expect("]");
  };

  const inlineTable = (path: KeyPath): void => {
    expect("{");
    skip(SPACE);
    if (!text.startsWith("}", at)) {
      do {
        skip(SPACE);
        assignment(path);
        skip(SPACE);
      } while (skip(COMMA) !== "");
    }
    expect("}");
  };

  try {
    let table: KeyPath = [];
    for (;;) {
      skip(BLANK);
      if (at >= text.length) break;
      if (text.startsWith("[", at)) table = header();
      else assignment(table);
      skip(REST_OF_LINE);
      if (at < text.length) expect("\n");
    }
  } catch (error) {
    if (!(error instanceof ScanEnd)) throw error;
  }
  return lines;
}

/** Ends the scan where the document stops being TOML. */
class ScanEnd extends Error {}

const SPACE = /[ \t]*/y;
const BLANK = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const REST_OF_LINE = /[ \t\r]*(?:#[^\n]*)?/y;
const DOT = /\./y;
const COMMA = /,/y;
const BARE = /[A-Za-z0-9_-]+/y;
const LITERAL = /'[^'\n]*'/y;
const BASIC = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y;
// A closing run may hold two more quotes, which belong to the string. Unrolled, so that a string without end
// costs no more than its length.
const MULTI_LITERAL = /'''[^']*(?:'(?!'')[^']*)*'{3,5}/y;
const MULTI_BASIC = /"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"{3,5}/y;
const SCALAR = /[^\s,[\]{}#"'=][^\n,\]}#]*/y;

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g,
    (_, short?: string, long?: string, letter?: string) => {
      const digits = short ?? long;
      if (digits === undefined) {
        const found = letter === undefined ? undefined : ESCAPES[letter];
        if (found === undefined) throw new ScanEnd();
        return found;
      }
      const point = Number.parseInt(digits, 16);
      if (point > 0x10ffff) throw new ScanEnd();
      return String.fromCodePoint(point);
    },
  );
}

/** Line of a position, for positions that only go forward. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let counted = 0;
  return (position) => {
    for (; counted < position; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  };
}
