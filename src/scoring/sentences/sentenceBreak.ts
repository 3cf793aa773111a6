import { pythonStrip } from "../../base/index.js";
import { firstCharacter, isLower, isUpper } from "../python/pythonCase.js";
import { pythonPattern } from "../python/pythonPattern.js";
import { type PunktParameters, SEEN } from "./punktParameters.js";

/** Characters that end a token, as the content of a class. */
export const NON_WORD = `[)";}\\]*:@'({\\[?!]`;

/**
 * Whether a sentence ends within the context of a possible end: the word before it, the mark, and what follows.
 * The token-based rules of Punkt (Kiss and Strunk 2006, section 4) as NLTK 3.8 applies them.
 */
export function containsBreak(context: string, parameters: PunktParameters): boolean {
  const tokens = context
    .split("\n")
    .filter((line) => pythonStrip(line) !== "")
    .flatMap((line) => line.match(TOKEN) ?? [])
    .map((text) => annotated(text, parameters));
  for (let index = 0; index + 1 < tokens.length; index++) {
    reconsider(tokens[index]!, tokens[index + 1]!, parameters);
    if (tokens[index]!.breaks) return true;
  }
  return false;
}

const MULTI = String.raw`(?:\-{2,}|\.{2,}|(?:\.\s){2,}\.)`;
const TOKEN = pythonPattern(
  String.raw`${MULTI}|(?=[^\(\"\x60{\[:;&\#\*@\)}\]\-,])\S+?` +
    String.raw`(?=\s|$|${NON_WORD}|${MULTI}|,(?=$|\s|${NON_WORD}|${MULTI}))|\S`,
);
const ELLIPSIS = pythonPattern(String.raw`\A\.\.+$`);
const INITIAL = pythonPattern(String.raw`\A[^\W\d]\.$`);
const NUMBER = pythonPattern(String.raw`^-?[\.,]?\d[\d,\.-]*\.?$`);
const NUMBER_TYPE = "##number##";
const MARKS: ReadonlySet<string> = new Set([".", "?", "!"]);
/** Tokens no sentence begins with. */
const PUNCTUATION: ReadonlySet<string> = new Set([";", ":", ",", ".", "!", "?"]);

interface Token {
  text: string;
  /** The text in lower case, or that it is a number. */
  type: string;
  breaks: boolean;
  abbreviation: boolean;
  ellipsis: boolean;
}

/** First pass: what the token alone says. */
function annotated(text: string, { abbreviations }: PunktParameters): Token {
  const token: Token = {
    text,
    type: text.toLowerCase().replace(NUMBER, NUMBER_TYPE),
    breaks: false,
    abbreviation: false,
    ellipsis: false,
  };
  if (MARKS.has(text)) {
    token.breaks = true;
  } else if (text.search(ELLIPSIS) === 0) {
    token.ellipsis = true;
  } else if (text.endsWith(".") && !text.endsWith("..")) {
    const word = text.slice(0, -1).toLowerCase();
    const lastPart = word.slice(word.lastIndexOf("-") + 1);
    token.abbreviation = abbreviations.has(word) || abbreviations.has(lastPart);
    token.breaks = !token.abbreviation;
  }
  return token;
}

/** Second pass: what the next token says about this one. */
function reconsider(token: Token, next: Token, parameters: PunktParameters): void {
  if (!token.text.endsWith(".")) return;
  const type = withoutDot(token.type);
  const nextType = sentenceType(next);
  const initial = token.text.search(INITIAL) === 0;
  const nextUpper = isUpper(firstCharacter(next.text));

  if (parameters.collocations.has(`${type} ${nextType}`)) {
    token.breaks = false;
    token.abbreviation = true;
    return;
  }
  const starts = startsSentence(next, parameters);
  if ((token.abbreviation || token.ellipsis) && !initial) {
    if (starts === true || (nextUpper && parameters.sentenceStarters.has(nextType))) {
      token.breaks = true;
      return;
    }
  }
  if (!initial && type !== NUMBER_TYPE) return;
  const seen = parameters.orthography.get(nextType) ?? 0;
  if (starts === false || (starts === undefined && initial && nextUpper && (seen & SEEN.lower) === 0)) {
    token.breaks = false;
    token.abbreviation = true;
  }
}

/** The orthographic heuristic: whether the token begins a sentence; undefined where its case does not tell. */
function startsSentence(token: Token, { orthography }: PunktParameters): boolean | undefined {
  if (PUNCTUATION.has(token.text)) return false;
  const seen = orthography.get(sentenceType(token)) ?? 0;
  const first = firstCharacter(token.text);
  if (isUpper(first) && (seen & SEEN.lower) !== 0 && (seen & SEEN.upperInside) === 0) return true;
  if (isLower(first) && ((seen & SEEN.upper) !== 0 || (seen & SEEN.lowerAtStart) === 0)) return false;
  return undefined;
}

function withoutDot(type: string): string {
  return type.length > 1 && type.endsWith(".") ? type.slice(0, -1) : type;
}

function sentenceType(token: Token): string {
  return token.breaks ? withoutDot(token.type) : token.type;
}
