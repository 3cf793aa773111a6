import { ElenchusError, messageOf, PYTHON_SPACE } from "../../base/index.js";

/** How Python would compile the pattern. */
export interface PatternFlags {
  /** `re.IGNORECASE`. Default false. */
  ignoreCase?: boolean;
  /** `re.MULTILINE`. Default false. */
  multiline?: boolean;
}

/**
 * The JavaScript regular expression that matches what Python's `re` matches: `\w`, `\d`, `\s`, `\b` are those of
 * Unicode, `.` excludes only the line feed, `^` and `$` know only the line feed, `$` also stands before a final one,
 * and ignoring case makes one letter of i, I, dotless ı and dotted İ. Always global: use it with `search`, `match`,
 * `replace` and `split`, which keep no state.
 * @throws ROW_INVALID for what Python refuses, and for possessive quantifiers, atomic groups, conditionals and
 *   flags inside the pattern, which JavaScript does not have
 */
export function pythonPattern(source: string, flags: PatternFlags = {}): RegExp {
  const inline = /^\(\?([im]+)\)/.exec(source);
  const ignoreCase = flags.ignoreCase === true || inline?.[1]?.includes("i") === true;
  const multiline = flags.multiline === true || inline?.[1]?.includes("m") === true;
  const translation = new Translation(source.slice(inline?.[0].length ?? 0), ignoreCase, multiline);
  try {
    return new RegExp(translation.run(), ignoreCase ? "giv" : "gv");
  } catch (error) {
    throw new ElenchusError(
      "ROW_INVALID",
      `${JSON.stringify(source)} is no regular expression that can be used here: ${messageOf(error)}. ` +
        "Write a backslash before each of . ^ $ * + ? { } [ ] \\ | ( ) that is meant as itself.",
    );
  }
}

/** `len(re.findall(pattern, text))`. */
export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** `re.search(pattern, text) is not None`. */
export function isFound(text: string, pattern: RegExp): boolean {
  return text.search(pattern) >= 0;
}

const WORD = "\\p{L}\\p{N}_";
/** Shorthand -> the content of a class, or the class that is its complement. */
const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ["w", WORD],
  ["W", `[^${WORD}]`],
  ["d", "\\p{Nd}"],
  ["D", "\\P{Nd}"],
  ["s", PYTHON_SPACE],
  ["S", `[^${PYTHON_SPACE}]`],
]);
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);
// Assertions as a whole, so that repeating them is refused as in Python.
const BOUNDARY = `(?=(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`;
const NO_BOUNDARY = `(?=(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`;
/** Letters that CPython's `re` takes as one when it ignores case, and JavaScript's simple case folding does not. */
const I_LETTERS = "iI\u0131\u0130";

/** One walk over a pattern, character by character. */
class Translation {
  private position = 0;
  private readonly characters: string[];

  constructor(
    source: string,
    private readonly ignoreCase: boolean,
    private readonly multiline: boolean,
  ) {
    this.characters = [...source];
  }

  run(): string {
    let out = "";
    while (this.position < this.characters.length) out += this.item();
    return out;
  }

  private next(): string {
    const character = this.characters[this.position];
    if (character === undefined) throw new Error("it ends too early");
    this.position++;
    return character;
  }

  /** Takes the text if it stands here. */
  private take(text: string): boolean {
    if (
      !this.characters
        .slice(this.position, this.position + text.length)
        .join("")
        .startsWith(text)
    )
      return false;
    this.position += text.length;
    return true;
  }

  private rest(): string {
    return this.characters.slice(this.position).join("");
  }

  private item(): string {
    const character = this.next();
    switch (character) {
      case "\\":
        return this.escape();
      case "[":
        return this.set();
      case "(":
        return this.group();
      case "{":
        return this.braces();
      case ".":
        return "[^\\n]";
      case "^":
        return this.multiline ? "(?<=^|\\n)" : "^";
      case "$":
        return this.multiline ? "(?=\\n|$)" : "(?=\\n?$)";
      case "|":
      case ")":
      case "*":
      case "+":
      case "?":
        return character;
      default:
        return this.literal(character);
    }
  }

  private escape(): string {
    const character = this.next();
    const shorthand = SHORTHANDS.get(character);
    if (shorthand !== undefined) return `[${shorthand}]`;
    if (character === "b") return BOUNDARY;
    if (character === "B") return NO_BOUNDARY;
    if (character === "A") return "^";
    if (character === "Z") return "$";
    const reference = /^[1-9][0-9]?/.exec(character + this.rest());
    if (reference !== null) {
      this.position += reference[0].length - 1;
      return `(?:\\${reference[0]})`;
    }
    return this.literal(this.escaped(character));
  }

  /** The character that an escape stands for. */
  private escaped(character: string): string {
    const control = CONTROLS.get(character);
    if (control !== undefined) return control;
    const digits = { x: 2, u: 4, U: 8 }[character];
    if (digits !== undefined) return this.codePoint(digits, 16);
    if (character === "0") return this.codePoint(/^[0-7]{0,2}/.exec(this.rest())![0].length, 8);
    if (/[A-Za-z0-9]/.test(character)) throw new Error(`bad escape \\${character}`);
    return character;
  }

  private codePoint(digits: number, base: 8 | 16): string {
    const text = this.characters.slice(this.position, this.position + digits).join("");
    if (text.length < digits || (base === 16 && /[^0-9a-fA-F]/.test(text))) {
      throw new Error(`an escape with too few digits: ${JSON.stringify(text)}`);
    }
    this.position += digits;
    return String.fromCodePoint(text === "" ? 0 : Number.parseInt(text, base));
  }

  private literal(character: string): string {
    if (this.ignoreCase && I_LETTERS.includes(character)) return `[${I_LETTERS}]`;
    return quoted(character);
  }

  /** A class in brackets: its members, each a character, a range or a shorthand. */
  private set(): string {
    const negated = this.take("^");
    let content = "";
    let holdsI = false;
    let first = true;
    while (first || !this.take("]")) {
      first = false;
      const from = this.member();
      if (from.length > 1 && SHORTHANDS_CONTENT.has(from)) {
        content += from;
        continue;
      }
      if (!/^-[^\]]/u.test(this.rest())) {
        holdsI ||= I_LETTERS.includes(from);
        content += quoted(from);
        continue;
      }
      this.position++;
      const to = this.member();
      if (SHORTHANDS_CONTENT.has(to)) throw new Error("a range that ends in a class");
      holdsI ||= [...I_LETTERS].some((letter) => letter >= from && letter <= to);
      content += `${quoted(from)}-${quoted(to)}`;
    }
    if (this.ignoreCase && holdsI) content += I_LETTERS;
    return `[${negated ? "^" : ""}${content}]`;
  }

  private member(): string {
    const character = this.next();
    if (character !== "\\") return character;
    const escaped = this.next();
    if (escaped === "b") return "\b";
    const octal = /^[1-7][0-7]{1,2}/.exec(escaped + this.rest());
    if (octal !== null) {
      this.position += octal[0].length - 1;
      return String.fromCodePoint(Number.parseInt(octal[0], 8));
    }
    return SHORTHANDS.get(escaped) ?? this.escaped(escaped);
  }

  private group(): string {
    if (!this.take("?")) return "(";
    if (this.take("#")) {
      while (this.next() !== ")");
      return "";
    }
    for (const kept of [":", "=", "!", "<=", "<!"]) {
      if (this.take(kept)) return `(?${kept}`;
    }
    if (this.take("P=")) return `\\k<${this.groupName(")")}>`;
    if (this.take("P<")) return `(?<${this.groupName(">")}>`;
    throw new Error("a kind of group that is not known here");
  }

  private groupName(end: string): string {
    let name = "";
    for (let character = this.next(); character !== end; character = this.next()) name += character;
    return name;
  }

  /** A repetition where Python reads one, else the brace itself. */
  private braces(): string {
    const repetition = /^(?:[0-9]+,?[0-9]*|,[0-9]*)\}/.exec(this.rest());
    if (repetition === null) return "\\{";
    this.position += repetition[0].length;
    return `{${repetition[0].startsWith(",") ? "0" : ""}${repetition[0]}`;
  }
}

const SHORTHANDS_CONTENT: ReadonlySet<string> = new Set(SHORTHANDS.values());

/** The character as itself, inside and outside of a class: signs of ASCII by their number. */
function quoted(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x7f || /[0-9A-Za-z]/.test(character)) return character;
  return `\\x${code.toString(16).padStart(2, "0")}`;
}
