import type { Term } from "./term.js";

/** What an answer in mathematical notation may be. */
export type Mathematics =
  | { readonly kind: "term"; readonly term: Term }
  /** `{a, b}` and `a, b`, in the order in which they were written. */
  | { readonly kind: "set"; readonly elements: readonly Mathematics[] }
  /** `(a, b, c)`, and a pair that cannot be an interval. */
  | { readonly kind: "tuple"; readonly elements: readonly Mathematics[] }
  | Interval
  /** Sets put together, or one of which another is left out. */
  | { readonly kind: SetOperation; readonly left: Mathematics; readonly right: Mathematics }
  /** `Reals`, `Integers`... */
  | { readonly kind: "named-set"; readonly name: string }
  | { readonly kind: "matrix"; readonly rows: readonly (readonly Mathematics[])[] }
  /** A chain `a < b = c`: one sign fewer than sides. */
  | {
      readonly kind: "relation";
      readonly sides: readonly Mathematics[];
      readonly signs: readonly RelationSign[];
    };

export type SetOperation = "union" | "intersection" | "difference";
export type RelationSign = "=" | "!=" | "<" | "<=" | ">" | ">=";

export interface Interval {
  readonly kind: "interval";
  readonly from: Term;
  readonly to: Term;
  readonly openLeft: boolean;
  readonly openRight: boolean;
}

/** Whether this is a set of whatever form, or a tuple. */
export function isCollection({ kind }: Mathematics): boolean {
  return kind !== "term" && kind !== "matrix" && kind !== "relation";
}

/** Whether an answer equals the right one; handed down, since sets hold relations and relations sets. */
export type Equal = (right: Mathematics, answer: Mathematics) => boolean;
