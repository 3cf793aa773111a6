import { pythonStrip } from "../../base/index.js";
import type { TaskDocument } from "../document.js";
import { meanMetric } from "./meanMetric.js";
import type { Metric } from "./metric.js";

/** Picks the answer out of a text. */
export type Extract = (text: string) => string;

/** How answers and right answers are made alike before they are compared. */
export interface MatchRules {
  /** What matches is deleted, in this order. */
  readonly ignore?: readonly RegExp[];
  readonly ignoreCase?: boolean;
  /** Deletes ASCII punctuation. */
  readonly ignorePunctuation?: boolean;
}

/**
 * Whether the answer is one of the right texts, letter by letter after both went through the rules
 * (`exact_match` of EleutherAI's harness).
 */
export function exactMatch(init: { name?: string; filter?: string; extract?: Extract } & MatchRules): Metric {
  const { name = "exact_match", filter, extract = (text) => text } = init;
  return meanMetric({
    name,
    ...(filter !== undefined && { filter }),
    score({ gold }, { generations }) {
      const answer = alike(extract(generations[0]!.text), init);
      return Number(goldTexts(gold).some((text) => alike(text, init) === answer));
    },
  });
}

/**
 * Whether the answer is one of the right choices, both trimmed; an empty answer never is
 * (`em` of lighteval).
 */
export function trimmedMatch(name = "em"): Metric {
  return meanMetric({
    name,
    score(document, { generations }) {
      const answer = pythonStrip(generations[0]!.text);
      return Number(answer !== "" && goldChoices(document).some((text) => pythonStrip(text) === answer));
    },
  });
}

/** The first place a pattern is found at, or the last: what its first group that is not empty holds. */
export function extractByPattern(pattern: RegExp, which: "first" | "last"): Extract {
  const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
  return (text) => {
    const found = [...text.matchAll(all)].at(which === "first" ? 0 : -1);
    if (found === undefined) return NO_ANSWER;
    const groups = found.length > 1 ? found.slice(1) : found.slice(0);
    return pythonStrip(groups.find((group) => group !== undefined && group !== "") ?? "");
  };
}

/** What stands for an answer in which none was found. */
const NO_ANSWER = "[invalid]";

/** The texts of the right choices. */
export function goldChoices({ gold, choices }: TaskDocument): string[] {
  const places = typeof gold === "number" ? [gold] : Array.isArray(gold) ? gold : [];
  // Python counts from the end below zero, and some test splits have a label of -1.
  return places.flatMap((place: unknown) => (typeof place === "number" ? (choices.at(place) ?? []) : []));
}

function goldTexts(gold: TaskDocument["gold"]): string[] {
  if (typeof gold === "string") return [gold];
  return Array.isArray(gold) ? gold.filter((one) => typeof one === "string") : [];
}

function alike(text: string, { ignore = [], ignoreCase, ignorePunctuation }: MatchRules): string {
  let read = ignore.reduce((rest, pattern) => rest.replace(pattern, ""), text);
  if (ignoreCase) read = read.toLowerCase();
  return ignorePunctuation ? read.replace(ASCII_PUNCTUATION, "") : read;
}

/** `string.punctuation` of Python. */
export const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;
