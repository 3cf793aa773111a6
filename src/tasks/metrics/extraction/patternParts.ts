// What the patterns have in common. They are those of lighteval 0.13 (MIT), whose places and priorities decide what an
// answer is taken for, written for JavaScript.

/** A text in capitals, small letters, or both. */
export function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** What Python's `.` matches; that of JavaScript leaves out more line ends. */
export const ANY = "[^\\n]";

/** What Python's `$` matches: the end, and the place before a line end that is the last character. */
export const END = "(?=\\n?$)";

export const ANSWER = anyCase("answer");
export const FINAL_ANSWER_IS = anyCase("final answer is");
export const FINAL_ANSWER = anyCase("final answer");
