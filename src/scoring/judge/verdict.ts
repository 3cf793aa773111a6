import { firstGroup } from "../basic/regexList.js";

/** How a judge's answer is read. */
export interface VerdictRules {
  /** Tried in order; the first group, or the whole match, is the verdict. */
  readonly patterns: readonly RegExp[];
  /** Verdicts by name and what each is worth; null: nothing. Absent: numbers, or any name. */
  readonly categories?: Readonly<Record<string, number | null>> | undefined;
  /** Other spellings of the names. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** The least and the largest number that is a verdict. */
  readonly range?: readonly [number, number] | undefined;
}

/** A verdict, or why there is none. */
export type Verdict =
  | { readonly score: number | null; readonly category?: string }
  | { readonly unparsed: string };

/** Reads a judge's answer: the first pattern that gives a verdict which counts. */
export function verdictIn(text: string, rules: VerdictRules): Verdict {
  let refused: string | undefined;
  for (const pattern of rules.patterns) {
    const found = firstGroup([pattern], text)?.trim();
    if (found === undefined || found === "") continue;
    const verdict = rules.categories === undefined ? numberOrName(found, rules) : named(found, rules);
    if (!("unparsed" in verdict)) return verdict;
    refused ??= verdict.unparsed;
  }
  return { unparsed: refused ?? `it matches none of ${rules.patterns.length} pattern(s)` };
}

function numberOrName(found: string, { range }: VerdictRules): Verdict {
  const number = Number(found);
  if (!Number.isFinite(number)) {
    return range === undefined ? { score: null, category: found } : { unparsed: `${found} is no number` };
  }
  if (range === undefined || (number >= range[0] && number <= range[1])) return { score: number };
  return { unparsed: `${found} is not from ${range[0]} to ${range[1]}` };
}

function named(found: string, { categories = {}, aliases = {} }: VerdictRules): Verdict {
  const name = alike(found, Object.keys(categories)) ?? aliasOf(found, aliases);
  if (name === undefined || !Object.hasOwn(categories, name)) {
    return {
      unparsed: `${JSON.stringify(found.slice(0, 60))} is none of ${Object.keys(categories).join(", ")}`,
    };
  }
  return { score: categories[name]!, category: name };
}

function aliasOf(found: string, aliases: Readonly<Record<string, string>>): string | undefined {
  const spelling = alike(found, Object.keys(aliases));
  return spelling === undefined ? undefined : aliases[spelling];
}

/** The name that differs at most by case. */
function alike(found: string, names: readonly string[]): string | undefined {
  if (names.includes(found)) return found;
  return names.find((name) => name.toLowerCase() === found.toLowerCase());
}
