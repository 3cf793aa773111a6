import { pythonStrip } from "../../base/index.js";
import { detectLanguage } from "../languages/index.js";

/**
 * The language of most of a text's lines, of those with four characters or more; of equals the one that comes
 * first, `en` where no line has features to tell by.
 */
export function lineLanguage(text: string, seed: number): string {
  const lines = text.split("\n").map(pythonStrip);
  const counts = new Map<string, number>();
  for (const line of lines) {
    if ([...line].length < 4) continue;
    const language = detectLanguage(line, seed);
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  let most = "en";
  for (const [language, count] of counts) if (count > (counts.get(most) ?? 0)) most = language;
  return most;
}
