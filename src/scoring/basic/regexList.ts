import { z } from "zod";
import { messageOf } from "../../base/index.js";
import { pythonPattern } from "../python/index.js";

/** Patterns in Python's notation, at least one. */
export const regexList = z
  .array(z.string().max(10_000, "expected a regular expression of at most 10,000 characters"))
  .min(1, "expected at least one regular expression")
  .max(1000, "expected at most 1,000 regular expressions")
  .superRefine((sources, context) => {
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
