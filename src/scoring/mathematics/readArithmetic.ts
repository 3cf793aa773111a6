import type { Mathematics } from "./mathematics.js";
import { integer, readDecimal } from "./rational.js";
import { callTerm, numberTerm, type Term } from "./term.js";

/**
 * Reads arithmetic as Python writes it: numbers, `+ - * / **`, signs and brackets; nothing else, and no product without a
 * sign. Undefined for anything else.
 */
export function readArithmetic(text: string): Mathematics | undefined {
  const tokens = text.match(/\*\*|\d+(?:\.\d*)?|\.\d+|\S/g) ?? [];
  const term = new ArithmeticReader(tokens).read();
  return term && { kind: "term", term };
}

/** A number in digits. */
export function readNumber(text: string): Mathematics | undefined {
  const value = readDecimal(text);
  return value && { kind: "term", term: numberTerm(value) };
}

/** A hundredth of a term; anything else is no percentage. */
export function percent(value: Mathematics): Mathematics | undefined {
  if (value.kind !== "term") return undefined;
  return { kind: "term", term: callTerm("Divide", value.term, numberTerm(integer(100))) };
}

/** Reads by descent: sums of products of signed powers. */
class ArithmeticReader {
  readonly #tokens: readonly string[];
  #place = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  read(): Term | undefined {
    const term = this.#sum(0);
    return this.#place === this.#tokens.length ? term : undefined;
  }

  #sum(depth: number): Term | undefined {
    let left = depth > DEEPEST ? undefined : this.#product(depth);
    while (left !== undefined && (this.#next === "+" || this.#next === "-")) {
      const minus = this.#take() === "-";
      const right = this.#product(depth);
      left = right && callTerm("Add", left, minus ? callTerm("Negate", right) : right);
    }
    return left;
  }

  #product(depth: number): Term | undefined {
    let left = this.#signed(depth);
    while (left !== undefined && (this.#next === "*" || this.#next === "/")) {
      const name = this.#take() === "*" ? "Multiply" : "Divide";
      const right = this.#signed(depth);
      left = right && callTerm(name, left, right);
    }
    return left;
  }

  #signed(depth: number): Term | undefined {
    if (depth > DEEPEST) return undefined;
    if (this.#next !== "-" && this.#next !== "+") return this.#power(depth);
    const minus = this.#take() === "-";
    const term = this.#signed(depth + 1);
    return term && minus ? callTerm("Negate", term) : term;
  }

  #power(depth: number): Term | undefined {
    const base = this.#atom(depth);
    if (base === undefined || this.#next !== "**") return base;
    this.#take();
    const exponent = this.#signed(depth + 1);
    return exponent && callTerm("Power", base, exponent);
  }

  #atom(depth: number): Term | undefined {
    const token = this.#take();
    if (token === undefined) return undefined;
    if (token === "(") {
      const inner = this.#sum(depth + 1);
      return this.#take() === ")" ? inner : undefined;
    }
    const value = /^[\d.]+$/.test(token) ? readDecimal(token) : undefined;
    return value && numberTerm(value);
  }

  get #next(): string | undefined {
    return this.#tokens[this.#place];
  }

  #take(): string | undefined {
    return this.#tokens[this.#place++];
  }
}

/** Brackets and signs within each other. */
const DEEPEST = 100;
