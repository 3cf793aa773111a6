import { PYTHON_SPACE } from "../../base/index.js";

/**
 * One walk over a pattern in Python's notation, character by character, that writes the same for JavaScript's `v` flag.
 */
export class PatternTranslation {
  /**
   * Whether the flag `i` is needed. Forms of ASCII letters are written out instead: with the flag the classes of
   * `\b` and `\w` are closed under case, which takes longer than everything else.
   */
  needsCaseFlag = false;
  private position = 0;
  private readonly characters: string[];

  constructor(
    source: string,
    private readonly ignoreCase: boolean,
    private readonly multiline: boolean,
  ) {
    this.characters = [...source];
  }

  /** @throws Error for what has no translation */
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

  /** Takes the text, ASCII, if it stands here. */
  private take(text: string): boolean {
    if (this.ahead(text.length) !== text) return false;
    this.position += text.length;
    return true;
  }

  /** The next characters: a look at all that are left would make a long pattern take the square of its length. */
  private ahead(count: number): string {
    return this.characters.slice(this.position, this.position + count).join("");
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
    const reference = /^[1-9][0-9]?/.exec(character + this.ahead(1));
    if (reference !== null) {
      this.position += reference[0].length - 1;
      this.needsCaseFlag ||= this.ignoreCase;
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
    if (character === "0") return this.codePoint(/^[0-7]{0,2}/.exec(this.ahead(2))![0].length, 8);
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
    if (!this.ignoreCase) return quoted(character);
    if (I_LETTERS.includes(character)) return `[${I_LETTERS}]`;
    if (/[a-z]/i.test(character)) {
      const lower = character.toLowerCase();
      return `[${lower}${lower.toUpperCase()}${THIRD_FORMS.get(lower) ?? ""}]`;
    }
    this.needsCaseFlag ||= character > "\x7f";
    return quoted(character);
  }

  /** A class in brackets: its members, each a character, a range or a shorthand. */
  private set(): string {
    const negated = this.take("^");
    this.needsCaseFlag ||= this.ignoreCase;
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
      if (!/^-[^\]]/u.test(this.ahead(2))) {
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
    const octal = /^[1-7][0-7]{1,2}/.exec(escaped + this.ahead(2));
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
    if (this.take("P=")) {
      this.needsCaseFlag ||= this.ignoreCase;
      return `\\k<${this.groupName(")")}>`;
    }
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
    let end = this.position;
    while (/^[0-9,]$/.test(this.characters[end] ?? "")) end++;
    const repetition = /^(?:[0-9]+,?[0-9]*|,[0-9]*)\}/.exec(this.ahead(end + 1 - this.position));
    if (repetition === null) return "\\{";
    this.position += repetition[0].length;
    return `{${repetition[0].startsWith(",") ? "0" : ""}${repetition[0]}`;
  }
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
/** ASCII letters that have a third form: the sign of kelvin and the long s. */
const THIRD_FORMS: ReadonlyMap<string, string> = new Map([
  ["k", "\u212a"],
  ["s", "\u017f"],
]);

const SHORTHANDS_CONTENT: ReadonlySet<string> = new Set(SHORTHANDS.values());

/** The character as itself, inside and outside of a class: signs of ASCII by their number. */
function quoted(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x7f || /[0-9A-Za-z]/.test(character)) return character;
  return `\\x${code.toString(16).padStart(2, "0")}`;
}
