import { meanMetric } from "./meanMetric.js";
import type { Metric } from "./metric.js";
import { goldChoices } from "./textMatch.js";

/**
 * Whether the number that an answer comes to is that of the right text, to five places: the number in a `\boxed{}`,
 * else the last one behind words like "the answer is", else the last one at all. What lighteval's
 * `extractive_match` does with plain numbers; it also compares formulas, which this does not.
 */
export function numberMatch(name = "extractive_match"): Metric {
  return meanMetric({
    name,
    score(document, { generations }) {
      const answer = finalNumber(generations[0]!.text);
      return Number(
        answer !== undefined && goldChoices(document).some((text) => finalNumber(text) === answer),
      );
    },
  });
}

/** Whether the letter that an answer comes to is that of the right choice. */
export function letterMatch(name = "extractive_match"): Metric {
  return meanMetric({
    name,
    score(document, { generations }) {
      const answer = finalLetter(generations[0]!.text, document.choices);
      return Number(answer !== undefined && goldChoices(document).includes(answer));
    },
  });
}

const NUMBER = "-?\\$?(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)";
/** From the clearest to the vaguest; of the first that is found at all, the last place counts. */
const NUMBER_PLACES = [
  `\\\\boxed\\{\\s*(${NUMBER})\\s*(?:\\\\%|%)?\\s*\\}`,
  `final answer is:?\\s*\\$?(${NUMBER})\\.?\\s*I hope`,
  `final answer[^\\n]{0,100}?\\s+is:?\\s*\\$?(${NUMBER})`,
  `answer\\s*(?:is:?|:|=)\\s*\\$?(${NUMBER})`,
  `(${NUMBER})`,
].map((pattern) => new RegExp(pattern, "gi"));

function finalNumber(text: string): number | undefined {
  for (const pattern of NUMBER_PLACES) {
    const found = [...text.matchAll(pattern)].at(-1)?.[1];
    if (found === undefined) continue;
    const value = Number(found.replace(/[$,]/g, ""));
    if (Number.isFinite(value)) return Math.round(value * 1e5) / 1e5 + 0;
  }
  return undefined;
}

function finalLetter(text: string, letters: readonly string[]): string | undefined {
  if (letters.length === 0) return undefined;
  const letter = `\\(?\\**([${letters.join("")}])\\**\\)?(?![\\p{L}\\p{N}_])`;
  const places = [
    `(?:[Ff]inal [Aa]nswer is|FINAL ANSWER IS):?\\s*${letter}\\.?\\s*I hope`,
    `(?:[Ff]inal [Aa]nswer|FINAL ANSWER)[^\\n]{0,100}?\\s+(?:is|IS):?\\s*${letter}`,
    `(?:[Aa]nswer|ANSWER)\\s*(?:is|IS)?\\s*[:：]?\\**\\s*${letter}`,
    `(?:^|\\n)\\s*${letter}`,
    `(?<![\\p{L}\\p{N}_])${letter}`,
  ];
  for (const place of places) {
    const found = [...text.matchAll(new RegExp(place, "gu"))].at(-1)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
