/** A text cut at its last blank, which goes with the word behind it. */
export function splitLastWord(text: string): [context: string, word: string] {
  const blank = text.lastIndexOf(" ");
  return blank === -1 ? ["", text] : [text.slice(0, blank), text.slice(blank)];
}
