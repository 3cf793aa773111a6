import { ANSWER_PREFIXES } from "../basic/answerPrefixes.js";
import { FOREIGN_LETTERS } from "./foreignLetters.js";

/**
 * The letter of the option that an answer settles on, upper case; null where it names none. The most telling kind of
 * place decides, and of several such places the last. Letters are whole tokens; a lower-case one, the English
 * article and the pronoun count only where no word follows them.
 * @param count options, 2 to 26
 */
export function choiceLetter(text: string, count: number): string | null {
  const plain = latinLetters(text);
  for (const place of placesFor(count)) {
    const groups = [...plain.matchAll(place)].at(-1)?.slice(1);
    const letter = groups?.find((group) => group !== undefined);
    if (letter !== undefined) return letter.toUpperCase();
  }
  return null;
}

const known = new Map<number, readonly RegExp[]>();

function placesFor(count: number): readonly RegExp[] {
  let places = known.get(count);
  if (places === undefined) {
    places = letterPlaces(count);
    known.set(count, places);
  }
  return places;
}

/** From the most telling to the least; each has the letter in one of its groups. */
function letterPlaces(count: number): RegExp[] {
  const last = String.fromCharCode(A + count - 1);
  const small = last.toLowerCase();
  const capital = `[A-${last}]`;
  // A word behind it makes an article or a pronoun of some letters, and no lower-case one is meant then.
  const letter = `(?:((?![AI]\\s+\\p{Ll})${capital}|[a-${small}](?!\\s+\\p{L}))${END})`;
  return [
    `(?:${PREFIXES})\\s*${DRESS}${OPTION}${DRESS}${letter}`,
    `${START}${NAMED}\\s+(?:is|was|are|would be|should be|must be)\\s*:?\\s*${SURE}${DRESS}${OPTION}${DRESS}${letter}`,
    `\\\\boxed\\s*\\{\\s*(?:\\\\text(?:bf)?\\s*\\{)?\\s*\\(?([A-${last}a-${small}])\\)?\\s*\\}`,
    `^[^\\p{L}\\p{N}]*([A-${last}a-${small}])[^\\p{L}\\p{N}]*$`,
    `${START}(${capital})${END}\\)?[*_]*\\s+is\\s+(?:the\\s+)?(?:correct|right|best|most)${END}`,
    `\\((${capital})\\)|\\*\\*\\(?(${capital})[).:]?\\*\\*|\\*\\*\\(?(${capital})[).:]`,
    `(?:^|\\n)[\\s*_(]*(${capital})[*_]*[).:](?!\\p{L})`,
    `${START}(?:[Oo]ption|[Cc]hoice|[Ll]etter)\\s+${DRESS}(${capital})${END}`,
    `${START}((?![AI]\\s+\\p{Ll})${capital})${END}`,
  ].map((source) => new RegExp(source, "gu"));
}

const A = "A".charCodeAt(0);
const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}'’])";
/** Emphasis, brackets, boxes and quotation marks around a letter. */
const DRESS = "(?:[*_`\"'“‘(\\[{$]|\\\\boxed|\\\\text(?:bf)?|\\\\mathrm|\\\\mathbf|\\\\\\(|\\\\\\[)*";
const NAMED = "(?:[Aa]nswer|ANSWER|[Cc]hoice|[Oo]ption)";
const OPTION = "(?:(?:[Oo]ption|[Cc]hoice|[Ll]etter)\\s*)?";
const SURE =
  "(?:(?:definitely|probably|clearly|certainly|most likely|likely|therefore|thus|simply|indeed)\\s+)?";
/** In any case, as the original's patterns, written out since the letters beside them mind case. */
const PREFIXES = ANSWER_PREFIXES.filter((prefix) => prefix.endsWith(":") || /[：ঃ\u200b]$/u.test(prefix))
  .map((prefix) => prefix.replace(/^\p{Lu}/u, (first) => `[${first}${first.toLowerCase()}]`))
  .concat("ANSWER\\s*:", "[*_]*[Aa]nswer[*_]*\\s*[:：][*_]*")
  .join("|");

/** Letters of other scripts that stand for A to D in translated benchmarks; full width ones for all. */
function latinLetters(text: string): string {
  return text.replace(FOREIGN, (letter) => {
    const wide = letter.charCodeAt(0) - FULL_WIDTH_A;
    return wide >= 0 ? String.fromCharCode(A + wide) : FOREIGN_LETTERS.get(letter)!;
  });
}

const FULL_WIDTH_A = 0xff21;
/** Those that occur in words only where they stand alone. */
const FOREIGN = /[Ａ-Ｚ]|(?<![\p{L}\p{M}])[أبجدঅবডঢ](?![\p{L}\p{M}])/gu;
