import { endValue } from "./endValue.js";
import type { Equal, Interval, Mathematics } from "./mathematics.js";
import type { Term } from "./term.js";

/**
 * Whether two sets, tuples or intervals are equal; a single value counts as the set of it. Elements of a set may stand in any
 * order; a tuple keeps its own. Unions of intervals are compared by the numbers in them.
 */
export function equalSets(right: Mathematics, answer: Mathematics, equal: Equal): boolean {
  const [a, b] = [asSet(right), asSet(answer)];
  if (a.kind === "interval" && b.kind === "interval") return equalIntervals(a, b, equal);
  if (a.kind === "named-set" && b.kind === "named-set") return a.name === b.name;
  const [first, second] = [elementsOf(a), elementsOf(b)];
  if (first !== undefined && second !== undefined) {
    if (a.kind === "tuple")
      return first.length === second.length && first.every((one, i) => equal(one, second[i]!));
    return sameElements(distinct(first, equal), distinct(second, equal), equal);
  }
  // An open interval and a pair are written alike.
  if (a.kind === "interval" && second !== undefined) return isPairOf(a, second, equal);
  if (b.kind === "interval" && first !== undefined)
    return isPairOf(b, first, (one, other) => equal(other, one));
  return sameNumbers(a, b);
}

function asSet(one: Mathematics): Mathematics {
  return one.kind === "term" || one.kind === "matrix" || one.kind === "relation"
    ? { kind: "set", elements: [one] }
    : one;
}

function elementsOf(one: Mathematics): readonly Mathematics[] | undefined {
  if (one.kind === "named-set" && one.name === "Empty") return [];
  return one.kind === "set" || one.kind === "tuple" ? one.elements : undefined;
}

function distinct(elements: readonly Mathematics[], equal: Equal): Mathematics[] {
  const kept: Mathematics[] = [];
  for (const one of elements) if (!kept.some((other) => equal(other, one))) kept.push(one);
  return kept;
}

function sameElements(right: readonly Mathematics[], answer: Mathematics[], equal: Equal): boolean {
  if (right.length !== answer.length) return false;
  const left = [...answer];
  return right.every((one) => {
    const place = left.findIndex((other) => equal(one, other));
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

function equalIntervals(a: Interval, b: Interval, equal: Equal): boolean {
  return (
    a.openLeft === b.openLeft &&
    a.openRight === b.openRight &&
    equalEnds(a.from, b.from, equal) &&
    equalEnds(a.to, b.to, equal)
  );
}

function equalEnds(a: Term, b: Term, equal: Equal): boolean {
  const [left, right] = [endValue(a), endValue(b)];
  if (left !== undefined && left === right) return true;
  return equal({ kind: "term", term: a }, { kind: "term", term: b });
}

function isPairOf(
  { from, to, openLeft, openRight }: Interval,
  pair: readonly Mathematics[],
  equal: Equal,
): boolean {
  if (!openLeft || !openRight || pair.length !== 2) return false;
  return equal({ kind: "term", term: from }, pair[0]!) && equal({ kind: "term", term: to }, pair[1]!);
}

/** Whether two sets of real numbers hold the same ones: all their ends, what is between and what is beyond. */
function sameNumbers(a: Mathematics, b: Mathematics): boolean {
  const ends = new Set<number>();
  if (!collectEnds(a, ends) || !collectEnds(b, ends)) return false;
  const sorted = [...ends].filter(Number.isFinite).sort((one, other) => one - other);
  const between = sorted.slice(1).map((end, place) => (end + sorted[place]!) / 2);
  const looked = [...sorted, ...between, (sorted[0] ?? 0) - 1, (sorted.at(-1) ?? 0) + 1];
  return looked.every((value) => holds(a, value) === holds(b, value));
}

/** Adds the places where membership may change; false where a set is not one of real numbers. */
function collectEnds(one: Mathematics, ends: Set<number>): boolean {
  if (one.kind === "named-set") return one.name === "Reals" || one.name === "Empty";
  if (one.kind === "set")
    return one.elements.every((element) => element.kind === "term" && addEnd(element.term, ends));
  if (one.kind === "interval") return addEnd(one.from, ends) && addEnd(one.to, ends);
  return "left" in one && collectEnds(one.left, ends) && collectEnds(one.right, ends);
}

function addEnd(term: Term, ends: Set<number>): boolean {
  const value = endValue(term);
  if (value !== undefined) ends.add(value);
  return value !== undefined;
}

function holds(one: Mathematics, value: number): boolean {
  switch (one.kind) {
    case "named-set":
      return one.name === "Reals";
    case "set":
      return one.elements.some((element) => element.kind === "term" && endValue(element.term) === value);
    case "interval": {
      const [from, to] = [endValue(one.from)!, endValue(one.to)!];
      return (one.openLeft ? value > from : value >= from) && (one.openRight ? value < to : value <= to);
    }
    case "union":
      return holds(one.left, value) || holds(one.right, value);
    case "intersection":
      return holds(one.left, value) && holds(one.right, value);
    case "difference":
      return holds(one.left, value) && !holds(one.right, value);
    default:
      return false;
  }
}
