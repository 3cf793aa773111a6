/** The names of choices: A, B, C... */
export const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"] as const;

/** Choices one per line, each behind its letter: `A. first`. */
export function lettered(choices: readonly string[], mark = ". "): string {
  return choices.map((choice, place) => `${LETTERS[place]}${mark}${choice}`).join("\n");
}
