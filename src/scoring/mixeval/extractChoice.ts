import { choiceLetter } from "../parsers/choiceLetter.js";

/**
 * The letter that an answer chooses, read the way people write it, or else that of the one option whose text the
 * answer holds. Null where it commits to nothing.
 */
export function extractChoice(
  response: string,
  letters: readonly string[],
  options: readonly string[],
): string | null {
  if (letters.length < 2) return letters[0] ?? null;
  const named = choiceLetter(response, letters.length);
  if (named !== null) return named;
  const written = optionWritten(response, options);
  return written === undefined ? null : letters[written]!;
}

/** The one option whose text the answer holds; those that stand inside another that it holds do not count. */
function optionWritten(response: string, options: readonly string[]): number | undefined {
  const text = words(response);
  const held = options
    .map((option, place) => ({ option: words(option), place }))
    .filter(({ option }) => option.trim() !== "" && text.includes(option));
  const outer = held.filter(({ option }) =>
    held.every((other) => other.option === option || !other.option.includes(option)),
  );
  return outer.length === 1 ? outer[0]!.place : undefined;
}

/** Words in lower case with a space at each side, so that whole words are found. */
function words(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
}
