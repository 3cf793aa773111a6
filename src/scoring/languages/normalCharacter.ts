import type { LanguageProfiles } from "./languageProfiles.js";

/**
 * The character that stands for this one in the profiles: scripts with many signs are folded to one or few, and
 * whatever says nothing about the language becomes a blank. Blocks are those of Unicode.
 */
export function normalCharacter(character: string, { blanks, cjk }: LanguageProfiles): string {
  const code = character.codePointAt(0)!;
  if (code <= 0x7f) return /[A-Za-z]/.test(character) ? character : " ";
  if (code <= 0xff) return blanks.has(character) ? " " : character;
  const exact = REPLACED.get(character);
  if (exact !== undefined) return exact;
  if (code >= 0x4e00 && code <= 0x9fff) return cjk.get(character) ?? character;
  const block = FOLDED.find(({ from, to }) => code >= from && code <= to);
  return block?.standsFor ?? character;
}

/** Romanian comma letters become the cedilla ones, Farsi yeh the Arabic one. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ["\u0219", "\u015f"],
  ["\u021b", "\u0163"],
  ["\u06cc", "\u064a"],
]);

const FOLDED = [
  // Vietnamese: Latin Extended Additional from its second half on.
  { from: 0x1ea0, to: 0x1eff, standsFor: "\u1ec3" },
  // General Punctuation.
  { from: 0x2000, to: 0x206f, standsFor: " " },
  // Hiragana, Katakana.
  { from: 0x3040, to: 0x309f, standsFor: "\u3042" },
  { from: 0x30a0, to: 0x30ff, standsFor: "\u30a2" },
  // Bopomofo and its extension.
  { from: 0x3100, to: 0x312f, standsFor: "\u3105" },
  { from: 0x31a0, to: 0x31bf, standsFor: "\u3105" },
  // Hangul syllables.
  { from: 0xac00, to: 0xd7af, standsFor: "\uac00" },
];
