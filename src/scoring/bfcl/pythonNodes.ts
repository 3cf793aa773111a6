import { pythonTokens, type Token } from "./pythonTokens.js";
import type { Value } from "./value.js";

/** A Python expression, as far as calls have such. */
export type Node =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "ellipsis" }
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "attribute"; readonly of: Node; readonly name: string }
  | { readonly kind: "subscript"; readonly of: Node; readonly at: Node }
  | { readonly kind: "call"; readonly of: Node; readonly given: readonly Given[] }
  | { readonly kind: "list" | "tuple"; readonly items: readonly Node[] }
  | { readonly kind: "dict"; readonly entries: readonly (readonly [Node, Node])[] }
  | { readonly kind: "unary"; readonly sign: string; readonly of: Node }
  | { readonly kind: "binary"; readonly sign: string; readonly left: Node; readonly right: Node };

/** An argument of a call; one without a name is positional. */
export interface Given {
  readonly name: string | undefined;
  readonly value: Node;
}

/** Reads a whole expression. @throws Error for what is none, or one that no call has */
export function pythonNodes(source: string): Node {
  const reader = new Reader(pythonTokens(source));
  const node = reader.tuple();
  reader.end();
  return node;
}

/** Binary signs from the loosest to the tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ["+", "-"],
  ["*", "/", "//", "%"],
];
/** Deeper nesting is nobody's answer, and would run out of stack. */
const DEEPEST = 100;

class Reader {
  #place = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  end(): void {
    if (this.#peek().kind !== "end") throw new Error("something behind the expression");
  }

  /** One expression, or several with commas between them. */
  tuple(): Node {
    const first = this.expression();
    if (!this.#is(",")) return first;
    const items = [first];
    while (this.#take(",")) {
      if (this.#peek().kind === "end" || this.#is(")")) break;
      items.push(this.expression());
    }
    return { kind: "tuple", items };
  }

  expression(): Node {
    if (++this.#depth > DEEPEST) throw new Error("expressions within expressions, too deep");
    const node = this.#binary(0);
    this.#depth--;
    return node;
  }

  #binary(level: number): Node {
    const signs = LEVELS[level];
    if (signs === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let sign = this.#oneOf(signs); sign !== undefined; sign = this.#oneOf(signs)) {
      left = { kind: "binary", sign, left, right: this.#binary(level + 1) };
    }
    return left;
  }

  #unary(): Node {
    const sign = this.#oneOf(["-", "+", "~"]);
    if (sign !== undefined) return { kind: "unary", sign, of: this.#unary() };
    const base = this.#trailed();
    // A power binds tighter than the sign before it, and looser than the one behind it.
    return this.#take("**") ? { kind: "binary", sign: "**", left: base, right: this.#unary() } : base;
  }

  /** An atom with calls, attributes and subscripts behind it. */
  #trailed(): Node {
    let node = this.#atom();
    for (;;) {
      if (this.#take("(")) node = { kind: "call", of: node, given: this.#givens() };
      else if (this.#take(".")) node = { kind: "attribute", of: node, name: this.#name() };
      else if (this.#take("[")) {
        node = { kind: "subscript", of: node, at: this.tuple() };
        this.#require("]");
      } else return node;
    }
  }

  #givens(): Given[] {
    const given: Given[] = [];
    while (!this.#take(")")) {
      const [token, next] = [this.#peek(), this.tokens[this.#place + 1]];
      const named = token.kind === "name" && next?.kind === "sign" && next.text === "=";
      if (named) this.#place += 2;
      given.push({ name: named ? token.text : undefined, value: this.expression() });
      if (!this.#take(",") && !this.#is(")")) throw new Error("expected a comma or the end of a call");
    }
    return given;
  }

  #atom(): Node {
    const token = this.tokens[this.#place++]!;
    if (token.kind === "str") return this.#texts(token.value);
    if (token.kind === "int" || token.kind === "float") {
      return { kind: "constant", value: { kind: token.kind, value: token.value } };
    }
    if (token.kind === "name") return named(token.text);
    if (token.kind === "end") throw new Error("the end where a value was expected");
    if (token.text === "...") return { kind: "ellipsis" };
    if (token.text === "[") return { kind: "list", items: this.#items("]") };
    if (token.text === "{") return { kind: "dict", entries: this.#entries() };
    if (token.text !== "(") throw new Error(`${token.text} where a value was expected`);
    if (this.#take(")")) return { kind: "tuple", items: [] };
    const inner = this.tuple();
    this.#require(")");
    return inner;
  }

  /** Texts that follow each other are one. */
  #texts(first: string): Node {
    let value = first;
    for (let token = this.#peek(); token.kind === "str"; token = this.#peek()) {
      value += token.value;
      this.#place++;
    }
    return { kind: "constant", value: { kind: "str", value } };
  }

  #items(end: string): Node[] {
    const items: Node[] = [];
    while (!this.#take(end)) {
      items.push(this.expression());
      if (!this.#take(",") && !this.#is(end)) throw new Error(`expected a comma or ${end}`);
    }
    return items;
  }

  #entries(): (readonly [Node, Node])[] {
    const entries: (readonly [Node, Node])[] = [];
    while (!this.#take("}")) {
      const key = this.expression();
      this.#require(":");
      entries.push([key, this.expression()]);
      if (!this.#take(",") && !this.#is("}")) throw new Error("expected a comma or }");
    }
    return entries;
  }

  #name(): string {
    const token = this.tokens[this.#place++]!;
    if (token.kind !== "name") throw new Error("expected a name");
    return token.text;
  }

  #peek(): Token {
    return this.tokens[this.#place]!;
  }

  #is(sign: string): boolean {
    const token = this.#peek();
    return token.kind === "sign" && token.text === sign;
  }

  #take(sign: string): boolean {
    const taken = this.#is(sign);
    if (taken) this.#place++;
    return taken;
  }

  #oneOf(signs: readonly string[]): string | undefined {
    return signs.find((sign) => this.#take(sign));
  }

  #require(sign: string): void {
    if (!this.#take(sign)) throw new Error(`expected ${sign}`);
  }
}

function named(text: string): Node {
  if (text === "True" || text === "False")
    return { kind: "constant", value: { kind: "bool", value: text === "True" } };
  if (text === "None") return { kind: "constant", value: { kind: "none" } };
  if (KEYWORDS.has(text)) throw new Error(`the keyword ${text}`);
  return { kind: "name", text };
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
