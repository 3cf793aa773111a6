import { z } from "zod";
import { messageOf } from "../../base/index.js";
import { pythonPattern } from "../python/index.js";

/** Most characters of all patterns together, which are read where requests are answered. */
const MOST_CHARACTERS = 20_000;
/** Most classes and bounds of words in them: each is written out for all letters and digits there are. */
const MOST_CLASSES = 2000;

/** Patterns in Python's notation, at least one. */
export const regexList = z
  .array(z.string().max(10_000, "expected a regular expression of at most 10,000 characters"))
  .min(1, "expected at least one regular expression")
  .max(1000, "expected at most 1,000 regular expressions")
  .superRefine((sources, context) => {
    const characters = sources.reduce((sum, { length }) => sum + length, 0);
    // Of what is too long nothing is looked at.
    const classes = characters > MOST_CHARACTERS ? 0 : (sources.join("").match(/\\[bBdDsSwW]/g)?.length ?? 0);
    if (characters > MOST_CHARACTERS || classes > MOST_CLASSES) {
      const [most, what] =
        classes > MOST_CLASSES
          ? [MOST_CLASSES, "of \\b, \\w, \\d, \\s and their complements"]
          : [MOST_CHARACTERS, "characters"];
      const message = `expected at most ${most.toLocaleString("en")} ${what} in all regular expressions together`;
      context.addIssue({ code: "custom", message });
      return;
    }
    for (const [index, source] of sources.entries()) {
      try {
        pythonPattern(source);
      } catch (error) {
        context.addIssue({ code: "custom", path: [index], message: messageOf(error) });
      }
    }
  });

/** What the first pattern that is found anywhere holds in its first group, or as a whole where it has none. */
export function firstGroup(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const [found] = text.matchAll(pattern);
    if (found !== undefined) return found.length > 1 ? (found[1] ?? "") : found[0];
  }
  return undefined;
}
