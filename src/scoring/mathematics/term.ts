import type { Rational } from "./rational.js";

/** A formula as a tree: numbers, names, and functions of further terms (`Add`, `Multiply`, `Power`, `Sin`...). */
export type Term =
  | { readonly kind: "number"; readonly value: Rational }
  | { readonly kind: "symbol"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly of: readonly Term[] };

export function numberTerm(value: Rational): Term {
  return { kind: "number", value };
}

export function symbolTerm(name: string): Term {
  return { kind: "symbol", name };
}

export function callTerm(name: string, ...of: readonly Term[]): Term {
  return { kind: "call", name, of };
}

/** The names in a term, each once. */
export function symbolsOf(term: Term, found: Set<string> = new Set()): Set<string> {
  if (term.kind === "symbol") found.add(term.name);
  if (term.kind === "call") for (const one of term.of) symbolsOf(one, found);
  return found;
}
