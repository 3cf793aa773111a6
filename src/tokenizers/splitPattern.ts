import { ElenchusError, messageOf } from "../base/index.js";

/** How GPT-2 cuts a text into the pieces that tokens never cross (Radford et al. 2019). */
export const GPT2_PATTERN = String.raw`'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;

/** How nanochat cuts: GPT-4's pattern with digits in groups of one and two. */
export const NANOCHAT_PATTERN = String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,2}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`;

/**
 * Makes a JavaScript expression of a split pattern as other tokenizers write them (Rust's `fancy-regex`,
 * Oniguruma): possessive quantifiers and atomic groups, `(?i:...)`, and white space, digits and word characters
 * as Unicode defines them. Case folds by letter, with the long s and the Kelvin sign.
 * @throws INPUT_UNREADABLE for a pattern that cannot be put into JavaScript
 */
export function compileSplitPattern(pattern: string): RegExp {
  const source = translate(pattern);
  try {
    return new RegExp(source, "gu");
  } catch (error) {
    throw unreadable(pattern, messageOf(error), error);
  }
}

/** The pieces of a text, one behind the other; what the pattern does not match is a piece as well. */
export function splitPieces(text: string, pattern: RegExp): string[] {
  const pieces: string[] = [];
  let position = 0;
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    if (index > position) pieces.push(text.slice(position, index));
    if (piece !== "") pieces.push(piece);
    position = index + piece.length;
  }
  if (position < text.length) pieces.push(text.slice(position));
  return pieces;
}

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const CLASSES: Readonly<Record<string, string>> = {
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
};
/** Escapes that JavaScript reads as the other dialects do. */
const SHARED_ESCAPE = /^\\(?:[pP](?:\{[^}]*\})|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[bBtnrfv0])/;
const QUANTIFIER = /^(?:[?*+]|\{(\d+)(?:(,)(\d*))?\})/;

interface Group {
  /** Where the group begins in the output. */
  readonly start: number;
  readonly ignoreCase: boolean;
  readonly atomic: boolean;
}

/** One walk from left to right. `atom` is where in the output the last thing that a quantifier can follow begins. */
function translate(pattern: string): string {
  let output = "";
  let position = 0;
  let atom: { start: number; single: boolean } | undefined;
  let ignoreCase = false;
  let captures = 0;
  const groups: Group[] = [];
  const emit = (text: string, single: boolean) => {
    atom = { start: output.length, single };
    output += text;
  };
  const makeAtomic = (start: number) => {
    const name = `atomic${captures++}`;
    output = `${output.slice(0, start)}(?:(?=(?<${name}>${output.slice(start)}))\\k<${name}>)`;
  };

  while (position < pattern.length) {
    const rest = pattern.slice(position);
    const quantifier = atom === undefined ? null : QUANTIFIER.exec(rest);
    if (quantifier !== null && atom !== undefined) {
      position += quantifier[0].length;
      const modifier = pattern[position];
      if (modifier === "+" || modifier === "?") position++;
      if (modifier !== "+") output += quantifier[0] + (modifier === "?" ? "?" : "");
      else if (atom.single) {
        output = output.slice(0, atom.start) + possessive(output.slice(atom.start), quantifier);
      } else {
        output += quantifier[0];
        makeAtomic(atom.start);
      }
      atom = undefined;
    } else if (rest.startsWith("[")) {
      const [set, length] = translateSet(pattern, position, ignoreCase);
      emit(set, true);
      position += length;
    } else if (rest.startsWith("(")) {
      const opening = /^\((?:\?(?:i?:|>|<?[=!]))?/.exec(rest)![0];
      if (opening === "(" && rest[1] === "?") throw unreadable(pattern, `a group "${rest.slice(0, 6)}"`);
      groups.push({ start: output.length, ignoreCase, atomic: opening === "(?>" });
      if (opening === "(?i:") ignoreCase = true;
      output += opening === "(?i:" || opening === "(?>" || opening === "(" ? "(?:" : opening;
      atom = undefined;
      position += opening.length;
    } else if (rest.startsWith(")")) {
      const group = groups.pop();
      if (group === undefined) throw unreadable(pattern, "a closing bracket too many");
      output += ")";
      if (group.atomic) makeAtomic(group.start);
      ignoreCase = group.ignoreCase;
      atom = { start: group.start, single: false };
      position++;
    } else if (rest.startsWith("\\")) {
      const [escaped, length] = translateEscape(pattern, position, false);
      emit(escaped, true);
      position += length;
    } else if (/^[|^$]/.test(rest)) {
      output += rest[0];
      atom = undefined;
      position++;
    } else {
      const character = String.fromCodePoint(rest.codePointAt(0)!);
      const cases = ignoreCase ? casesOf(character) : character;
      emit(cases.length > character.length ? `[${cases}]` : character, true);
      position += character.length;
    }
  }
  return output;
}

/** A possessive quantifier on one character: it may stop only where no more of that character follows. */
function possessive(atom: string, quantifier: RegExpExecArray): string {
  const [whole, least, comma, most] = quantifier;
  if (whole === "?") return `(?:${atom}|(?!${atom}))`;
  if (least === undefined || (comma !== undefined && most === "")) return `(?:${atom}${whole}(?!${atom}))`;
  if (comma === undefined || least === most) return `${atom}${whole}`;
  return `(?:${atom}{${most}}|${atom}{${least},${Number(most) - 1}}(?!${atom}))`;
}

/** A set in square brackets, and how long it was. */
function translateSet(pattern: string, start: number, ignoreCase: boolean): [string, number] {
  let output = "[";
  let position = start + 1;
  if (pattern[position] === "^") {
    output += "^";
    position++;
  }
  for (;;) {
    const rest = pattern.slice(position);
    if (rest === "") throw unreadable(pattern, "a set without its end");
    if (rest.startsWith("]")) break;
    if (rest.startsWith("[") || rest.startsWith("&&")) throw unreadable(pattern, "a set inside a set");
    const range = ignoreCase ? /^([a-z])-([a-z])|^([A-Z])-([A-Z])/.exec(rest) : null;
    if (range !== null) {
      output += range[0].toLowerCase() + range[0].toUpperCase();
      position += range[0].length;
    } else if (rest.startsWith("\\")) {
      const [escaped, length] = translateEscape(pattern, position, true);
      output += escaped;
      position += length;
    } else {
      const character = String.fromCodePoint(rest.codePointAt(0)!);
      output += ignoreCase ? casesOf(character) : character;
      position += character.length;
    }
  }
  return [`${output}]`, position + 1 - start];
}

/** An escape, and how long it was. */
function translateEscape(pattern: string, start: number, inSet: boolean): [string, number] {
  const rest = pattern.slice(start);
  const letter = rest[1];
  if (letter === undefined) throw unreadable(pattern, "a backslash at its end");
  const set = CLASSES[letter];
  if (set !== undefined) return [set, 2];
  if (letter === "w") return [inSet ? WORD : `[${WORD}]`, 2];
  if (letter === "W" && !inSet) return [`[^${WORD}]`, 2];
  const property = /^\\([pP])([A-Z])(?!\{)/.exec(rest);
  if (property !== null) return [`\\${property[1]}{${property[2]}}`, 3];
  const shared = SHARED_ESCAPE.exec(rest);
  if (shared !== null) return [shared[0], shared[0].length];
  const brackets = /^\\x\{([0-9a-fA-F]+)\}/.exec(rest);
  if (brackets !== null) return [`\\u{${brackets[1]}}`, brackets[0].length];
  if (/[A-Za-z0-9]/.test(letter)) throw unreadable(pattern, `an escape "\\${letter}"`);
  return [/[\^$\\.*+?()[\]{}|/]/.test(letter) || (inSet && letter === "-") ? `\\${letter}` : letter, 2];
}

function casesOf(character: string): string {
  const both = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  if (both.has("s")) both.add("\u017f");
  if (both.has("k")) both.add("\u212a");
  return [...both].filter((one) => [...one].length === 1).join("");
}

function unreadable(pattern: string, found: string, cause?: unknown): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `The split pattern ${pattern} has ${found}, which cannot be put into a JavaScript expression. Expected characters, sets, groups, (?i:...), (?>...), look-around and quantifiers.`,
    { cause, details: { pattern } },
  );
}
