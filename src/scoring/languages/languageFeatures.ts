import { isUpper } from "../python/pythonCase.js";
import type { LanguageProfiles } from "./languageProfiles.js";
import { normalCharacter } from "./normalCharacter.js";

/**
 * The n-grams of a text that some language knows, by their places in the table, one entry for each place where one
 * ends: lengths 1 to 3 over normalised characters within words, a blank standing for a word's border. Words in
 * capitals give none beyond their first letter. As langdetect 1.0.9 extracts them.
 */
export function languageFeatures(text: string, profiles: LanguageProfiles): number[] {
  const { places } = profiles.grams;
  const found: number[] = [];
  const note = (gram: string) => {
    const place = places.get(gram);
    if (place !== undefined) found.push(place);
  };
  let beforeLast = "";
  let last = " ";
  let lastUpper = false;
  let capitals = false;
  for (const original of withoutForeignLatin(cleaned(text, profiles))) {
    const character = normalCharacter(original, profiles);
    if (last === " ") {
      // A word begins: what stood before its border does not count.
      beforeLast = "";
      capitals = false;
      if (character === " ") continue;
    }
    const upper = isUpper(character);
    capitals = upper && (capitals || lastUpper);
    if (!capitals) {
      if (character !== " ") note(character);
      note(last + character);
      if (beforeLast !== "") note(beforeLast + last + character);
    }
    beforeLast = last;
    last = character;
    lastUpper = upper;
  }
  return found;
}

const ADDRESS = /https?:\/\/[-_.?&~;+=/#0-9A-Za-z]{1,2076}/g;
const MAIL = /[-_.0-9A-Za-z]{1,64}@[-_0-9A-Za-z]{1,255}[-_.0-9A-Za-z]{1,255}/g;
const LETTER_AND_MARK = /[A-Za-z\u00c0-\u01b0][\u0300-\u0323]/g;
/** Code points that are read; the rest of a long text does not count. */
const LONGEST = 10_000;

/** Without addresses, Vietnamese letters composed, runs of blanks shortened to one. */
function cleaned(text: string, { vietnamese }: LanguageProfiles): string[] {
  const plain = text
    .replace(ADDRESS, " ")
    .replace(MAIL, " ")
    .replace(LETTER_AND_MARK, (pair) => vietnamese.get(pair) ?? pair);
  const characters: string[] = [];
  let read = 0;
  let last = "";
  for (const character of plain) {
    if (read++ >= LONGEST) break;
    if (character !== " " || last !== " ") characters.push(character);
    last = character;
  }
  return characters;
}

/** Drops Latin letters where other scripts outweigh them twice: names and terms in a foreign text. */
function withoutForeignLatin(characters: string[]): string[] {
  let latin = 0;
  let other = 0;
  for (const character of characters) {
    if (isLatin(character)) latin++;
    else if (character >= "\u0300") other++;
  }
  return latin * 2 < other ? characters.filter((character) => !isLatin(character)) : characters;
}

/** From `A` to `z`, the six signs between the two alphabets included. */
function isLatin(character: string): boolean {
  return character >= "A" && character <= "z";
}
