import { ElenchusError, messageOf } from "../../base/index.js";
import { PatternTranslation } from "./patternTranslation.js";

/** How Python would compile the pattern. */
export interface PatternFlags {
  /** `re.IGNORECASE`. Default false. */
  ignoreCase?: boolean;
  /** `re.MULTILINE`. Default false. */
  multiline?: boolean;
}

/**
 * The JavaScript regular expression that matches what Python's `re` matches: `\w`, `\d`, `\s`, `\b` are those of
 * Unicode, `.` excludes only the line feed, `^` and `$` know only the line feed, `$` also stands before a final one,
 * and ignoring case makes one letter of i, I, dotless ı and dotted İ. Always global: use it with `search`, `match`,
 * `replace` and `split`, which keep no state.
 * @throws ROW_INVALID for what Python refuses, and for possessive quantifiers, atomic groups, conditionals and
 *   flags inside the pattern, which JavaScript does not have
 */
export function pythonPattern(source: string, flags: PatternFlags = {}): RegExp {
  const inline = /^\(\?([im]+)\)/.exec(source);
  const ignoreCase = flags.ignoreCase === true || inline?.[1]?.includes("i") === true;
  const multiline = flags.multiline === true || inline?.[1]?.includes("m") === true;
  const translation = new PatternTranslation(source.slice(inline?.[0].length ?? 0), ignoreCase, multiline);
  try {
    const pattern = translation.run();
    return new RegExp(pattern, translation.needsCaseFlag ? "giv" : "gv");
  } catch (error) {
    throw new ElenchusError(
      "ROW_INVALID",
      `${JSON.stringify(source)} is no regular expression that can be used here: ${messageOf(error)}. ` +
        "Write a backslash before each of . ^ $ * + ? { } [ ] \\ | ( ) that is meant as itself.",
    );
  }
}

/** `len(re.findall(pattern, text))`. */
export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** `re.search(pattern, text) is not None`. */
export function isFound(text: string, pattern: RegExp): boolean {
  return text.search(pattern) >= 0;
}
