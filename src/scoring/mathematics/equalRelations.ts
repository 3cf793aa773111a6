import { equalTerms } from "./equalTerms.js";
import type { Mathematics, RelationSign } from "./mathematics.js";
import { callTerm, symbolsOf, symbolTerm, type Term } from "./term.js";

type Relation = Extract<Mathematics, { kind: "relation" }>;

/** Whether two chains say the same, link by link: the same sign, or the other way round, between equal differences. */
export function equalRelations(right: Relation, answer: Relation, digits: number): boolean {
  if (right.signs.length !== answer.signs.length) return false;
  const turned = equalLinks(
    right,
    {
      ...answer,
      sides: [...answer.sides].reverse(),
      signs: [...answer.signs].reverse().map((sign) => FLIPPED[sign]),
    },
    digits,
  );
  return turned || equalLinks(right, answer, digits);
}

function equalLinks(right: Relation, answer: Relation, digits: number): boolean {
  return right.signs.every((sign, place) => {
    const [gold, given] = [difference(right, place), difference(answer, place)];
    if (gold === undefined || given === undefined) return false;
    const other = answer.signs[place]!;
    if (sign === other && equalTerms(gold, given, digits)) return true;
    return FLIPPED[sign] === other && equalTerms(gold, callTerm("Negate", given), digits);
  });
}

const FLIPPED: Readonly<Record<RelationSign, RelationSign>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Left side less right side of a link. */
function difference({ sides }: Relation, place: number): Term | undefined {
  const [left, right] = [sides[place]!, sides[place + 1]!];
  if (left.kind !== "term" || right.kind !== "term") return undefined;
  return callTerm("Add", left.term, callTerm("Negate", right.term));
}

/** What the last side of a chain is. */
export function rightSide(relation: Mathematics): Mathematics {
  return relation.kind === "relation" ? relation.sides.at(-1)! : relation;
}

/** `a < x <= b`, `x > a`, `x != a`... as the numbers that one name may be; undefined for another relation. */
export function relationAsSet({ sides, signs }: Relation): Mathematics | undefined {
  const terms = sides.map((side) => (side.kind === "term" ? side.term : undefined));
  const names = terms.map((term) => term?.kind === "symbol" && term.name !== "PositiveInfinity");
  const middle = names.indexOf(true);
  if (
    middle < 0 ||
    names.lastIndexOf(true) !== middle ||
    terms.some(
      (term, place) =>
        place !== middle && (term === undefined || (symbolsOf(term).size > 0 && !isInfinite(term))),
    )
  )
    return undefined;
  if (signs.length > 2 || (signs.length === 2 && middle !== 1)) return undefined;
  if (signs.length === 1 && signs[0] === "!=") {
    const left: Mathematics = { kind: "named-set", name: "Reals" };
    return { kind: "difference", left, right: { kind: "set", elements: [sides[1 - middle]!] } };
  }
  let [from, to]: Term[] = [
    callTerm("Negate", symbolTerm("PositiveInfinity")),
    symbolTerm("PositiveInfinity"),
  ];
  let [openLeft, openRight] = [true, true];
  for (const [place, sign] of signs.entries()) {
    const nameFirst = place === middle;
    const bound = terms[nameFirst ? place + 1 : place]!;
    const read = nameFirst ? sign : FLIPPED[sign];
    if (read === "<" || read === "<=") [to, openRight] = [bound, read === "<"];
    else if (read === ">" || read === ">=") [from, openLeft] = [bound, read === ">"];
    else return undefined;
  }
  return { kind: "interval", from: from!, to: to!, openLeft, openRight };
}

function isInfinite(term: Term): boolean {
  return [...symbolsOf(term)].every((name) => name === "PositiveInfinity");
}
