import { equalRelations, relationAsSet, rightSide } from "./equalRelations.js";
import { equalSets } from "./equalSets.js";
import { equalTerms } from "./equalTerms.js";
import { type Equal, isCollection, type Mathematics } from "./mathematics.js";
import type { Term } from "./term.js";

/**
 * Whether an answer equals the right one, by the rules of lighteval's comparison: fractions exactly, numbers with a point
 * rounded to `digits` places, formulas when they agree wherever they are looked at, sets in any order, `x = 3` and `3` alike.
 */
export function equalMathematics(right: Mathematics, answer: Mathematics, digits = 6): boolean {
  const equal: Equal = (a, b) => equalMathematics(a, b, digits);
  // A name for the value is only asked for where both have one.
  const bothEquations = isEquation(right) && isEquation(answer);
  const gold = isAssignment(right) && !isEquation(answer) ? rightSide(right) : right;
  const given = isEquation(answer) && !bothEquations && !isEquation(gold) ? rightSide(answer) : answer;

  if (gold.kind === "relation" && isCollection(given)) {
    const set = relationAsSet(gold);
    return set !== undefined && equalSets(set, given, equal);
  }
  if (gold.kind === "relation" || given.kind === "relation") {
    return gold.kind === "relation" && given.kind === "relation" && equalRelations(gold, given, digits);
  }
  if (isCollection(gold) || isCollection(given)) return equalSets(gold, given, equal);
  if (gold.kind === "matrix" || given.kind === "matrix") {
    if (gold.kind !== "matrix" || given.kind !== "matrix" || gold.rows.length !== given.rows.length)
      return false;
    return gold.rows.every((row, place) => {
      const other = given.rows[place]!;
      return row.length === other.length && row.every((cell, column) => equal(cell, other[column]!));
    });
  }
  return gold.kind === "term" && given.kind === "term" && equalTerms(gold.term, given.term, digits);
}

function isEquation(one: Mathematics): boolean {
  return one.kind === "relation" && one.signs.every((sign) => sign === "=");
}

/** `a = 1`, `f(x) = x^2`: an equation whose first side is made of names alone. */
function isAssignment(one: Mathematics): boolean {
  if (one.kind !== "relation" || !isEquation(one)) return false;
  const [first] = one.sides;
  return first?.kind === "term" && onlyNames(first.term);
}

function onlyNames(term: Term): boolean {
  if (term.kind === "symbol") return true;
  return (
    term.kind === "call" && (term.name === "Multiply" || term.name === "Divide") && term.of.every(onlyNames)
  );
}
