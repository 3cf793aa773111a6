/** A piece of a Python expression. */
export type Token =
  | { readonly kind: "name" | "sign"; readonly text: string }
  | { readonly kind: "int" | "float"; readonly value: number; readonly text: string }
  | { readonly kind: "str"; readonly value: string }
  | { readonly kind: "end" };

/** Cuts an expression into tokens. @throws Error for what is none */
export function pythonTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  while (place < source.length) {
    const rest = source.slice(place);
    const blank = /^(?:\s+|#.*)/.exec(rest)?.[0];
    if (blank !== undefined) {
      place += blank.length;
      continue;
    }
    const [token, length] = stringToken(rest) ?? numberToken(rest) ?? plainToken(rest);
    tokens.push(token);
    place += length;
  }
  tokens.push({ kind: "end" });
  return tokens;
}

function plainToken(rest: string): [Token, number] {
  const name = /^[\p{L}_][\p{L}\p{M}\p{N}_]*/u.exec(rest)?.[0];
  if (name !== undefined) return [{ kind: "name", text: name }, name.length];
  const sign = /^(?:\.\.\.|\*\*|\/\/|[-+*/%~()[\]{},:=.])/.exec(rest)?.[0];
  if (sign === undefined) throw new Error(`a character that no expression has: ${JSON.stringify(rest[0])}`);
  return [{ kind: "sign", text: sign }, sign.length];
}

function numberToken(rest: string): [Token, number] | undefined {
  const based = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/.exec(rest)?.[0];
  const float =
    /^(?:\d(?:_?\d)*)?(?:\.\d(?:_?\d)*|(?<=\d)\.)?(?:[eE][-+]?\d(?:_?\d)*)?/.exec(rest)?.[0] ?? "";
  const text = based ?? float;
  if (text === "" || !/\d/.test(text)) return undefined;
  // 012, 1a and 2j are no numbers that a call could have.
  if (based === undefined && /^0\d/.test(text) && /^\d+$/.test(text) && Number(text) !== 0)
    throw new Error("a zero in front");
  if (/^[\p{L}_]/u.test(rest.slice(text.length))) throw new Error("a letter behind a number");
  const kind = based !== undefined || /^[\d_]+$/.test(text) ? "int" : "float";
  return [{ kind, value: Number(text.replaceAll("_", "")), text }, text.length];
}

function stringToken(rest: string): [Token, number] | undefined {
  const [opening, prefix, quote] = /^([rRuUbB]{0,2})("""|'''|"|')/.exec(rest) ?? [];
  if (opening === undefined) return undefined;
  const raw = /r/i.test(prefix!);
  let value = "";
  let place = opening.length;
  while (!rest.startsWith(quote!, place)) {
    if (place >= rest.length) throw new Error("a text without its end");
    if (rest[place] !== "\\") {
      value += rest[place++];
      continue;
    }
    const [written, character] = raw
      ? [rest.slice(place, place + 2), rest.slice(place, place + 2)]
      : escaped(rest, place);
    value += character;
    place += written.length;
  }
  return [{ kind: "str", value }, place + quote!.length];
}

/** An written and the character that it stands for; an unknown one stands for itself, backslash and all. */
function escaped(text: string, place: number): [written: string, character: string] {
  const rest = text.slice(place);
  const [whole, hexadecimal] =
    /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/
      .exec(rest)
      ?.flatMap((group) => (group === undefined ? [] : [group])) ?? [];
  if (whole !== undefined) return [whole, String.fromCodePoint(Number.parseInt(hexadecimal!, 16))];
  const octal = /^\\[0-7]{1,3}/.exec(rest)?.[0];
  if (octal !== undefined) return [octal, String.fromCharCode(Number.parseInt(octal.slice(1), 8))];
  const written = rest.slice(0, 2);
  return [written, SIMPLE.get(written[1] ?? "") ?? written];
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);
