/**
 * Whether names are chosen by patterns. A pattern fits a weight by its whole name or by a module in front of one of
 * its dots: `model.norm` fits `model.norm.weight`. `*` stands for any characters, dots included, `?` for one; a
 * pattern that begins with `!` takes out what it fits. Where all begin with `!`, everything else is chosen.
 */
export interface NamePatterns {
  readonly chooses: (name: string) => boolean;
  /** The patterns that fit none of the names. */
  readonly without: (names: Iterable<string>) => string[];
}

export function namePatterns(patterns: readonly string[]): NamePatterns {
  const parsed = patterns.map((pattern) => {
    const excludes = pattern.startsWith("!");
    return { pattern, excludes, expression: expressionOf(excludes ? pattern.slice(1) : pattern) };
  });
  const chosenAtFirst = parsed.every(({ excludes }) => excludes);
  return {
    chooses: (name) => {
      const fitting = parsed.filter(({ expression }) => expression.test(name));
      return (chosenAtFirst || fitting.length > 0) && !fitting.some(({ excludes }) => excludes);
    },
    without: (names) => {
      const all = [...names];
      return parsed
        .filter(({ expression }) => !all.some((name) => expression.test(name)))
        .map(({ pattern }) => pattern);
    },
  };
}

function expressionOf(glob: string): RegExp {
  const body = glob
    .replace(/[.+^${}()|[\]\\/]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^(?:${body})(?:\\..*)?$`, "su");
}
