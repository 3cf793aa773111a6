import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isQuicklyRead } from "./latexLevels.js";
import { nameSymbols } from "./latexSymbols.js";
import { integer, type Rational, readDecimal } from "./rational.js";
import { callTerm, numberTerm, symbolTerm, type Term } from "./term.js";

/**
 * Reads one formula without commas, relations or sets. Undefined for what is no formula, or none that Compute Engine
 * reads. Its reader is loaded with the first formula.
 */
export function latexTerm(latex: string): Term | undefined {
  if (latex.trim() === "" || latex.length > LONGEST || !isQuicklyRead(latex)) return undefined;
  // Signs without spaces are tried in all ways in which they could stand together: 40 are not read in a lifetime.
  const { text, names } = nameSymbols(latex.replace(/[-+](?=[-+])/g, "$& "));
  const reader = engine();
  try {
    return termOf(reader.parse(text, { canonical: false }).json, names);
  } catch {
    return undefined;
  }
}

/** MathJSON. */
type Expression =
  | number
  | string
  | { readonly num: string }
  | { readonly sym: string }
  | readonly [string, ...Expression[]];

/** What is used of Compute Engine, whose own types do not resolve in ES modules. */
interface Engine {
  parse(latex: string, options: { canonical: boolean }): { readonly json: Expression };
  latexDictionary: readonly object[];
}
interface LatexReader {
  parseGroup(): Expression | null;
  parseToken(): Expression | null;
}

/** Characters of a formula; longer ones are no answers, and the reader's time grows with them. */
const LONGEST = 2000;

let loaded: Engine | undefined;

function engine(): Engine {
  if (loaded !== undefined) return loaded;
  // Scores are made synchronously, and few of those who score need formulas. What the package offers to `require` is a script
  // that its own package.json makes a module of, without exports; the module proper lies beside it.
  const require = createRequire(import.meta.url);
  const module = join(dirname(require.resolve("@cortex-js/compute-engine")), "compute-engine.min.esm.js");
  const { ComputeEngine } = require(module) as { ComputeEngine: new () => Engine };
  const made = new ComputeEngine();
  made.latexDictionary = [
    ...made.latexDictionary,
    {
      name: "Binomial",
      latexTrigger: ["\\binom"],
      parse: (parser: LatexReader) => ["Binomial", oneArgument(parser), oneArgument(parser)],
    },
    ...["gcd", "lcm"].map((name) => ({ latexTrigger: [`\\${name}`], parse: name.toUpperCase() })),
  ];
  loaded = made;
  return made;
}

function oneArgument(parser: LatexReader): Expression {
  return parser.parseGroup() ?? parser.parseToken() ?? "Nothing";
}

/** Turns MathJSON into a term. */
function termOf(json: Expression, names: ReadonlyMap<string, string>): Term | undefined {
  if (typeof json === "number") return decimal(String(json));
  if (typeof json === "string") return json.startsWith("'") ? undefined : symbol(json, names);
  if ("num" in json) return decimal(json.num);
  if ("sym" in json) return symbol(json.sym, names);
  const [head, ...parts] = json;
  if (head === "InvisibleOperator") return sideBySide(parts, names);
  const of: Term[] = [];
  for (const part of parts) {
    // A list in brackets is an argument list, and is no formula elsewhere.
    const one = termOf(part, names);
    if (one === undefined) return undefined;
    of.push(one);
  }
  if (PASSED_THROUGH.has(head)) return of[0];
  return of.length === 0 || REFUSED.has(head) ? undefined : callTerm(RENAMED.get(head) ?? head, ...of);
}

/** Brackets; degrees, primes and the like, which the answers are not told apart by. */
const PASSED_THROUGH = new Set(["Delimiter", "Degrees", "Prime", "Hold"]);
const REFUSED = new Set(["Error", "Sequence", "Tuple", "PlusMinus", "At", "List", "Matrix", "Set"]);
const RENAMED = new Map([
  ["Rational", "Divide"],
  ["Arsin", "Arcsin"],
]);

/** Terms written side by side: a mixed number, a function with its arguments, or a product. */
function sideBySide(parts: readonly Expression[], names: ReadonlyMap<string, string>): Term | undefined {
  const factors: Term[] = [];
  for (let place = 0; place < parts.length; place++) {
    const [part, next] = [parts[place]!, parts[place + 1]];
    if (typeof part === "string" && FUNCTIONS.has(part) && next !== undefined) {
      const of = argumentList(next, names);
      if (of === undefined) return undefined;
      factors.push(callTerm(FUNCTIONS.get(part)!, ...of));
      place += 1;
      continue;
    }
    const factor = termOf(part, names);
    if (factor === undefined) return undefined;
    const before = factors.at(-1);
    if (isWhole(before) && isProperFraction(factor))
      factors[factors.length - 1] = callTerm("Add", before!, factor);
    else factors.push(factor);
  }
  return factors.length === 1 ? factors[0] : callTerm("Multiply", ...factors);
}

const FUNCTIONS = new Map([
  ["Exp", "Exp"],
  ["GCD", "GCD"],
  ["LCM", "LCM"],
]);

function argumentList(json: Expression, names: ReadonlyMap<string, string>): Term[] | undefined {
  const inner = Array.isArray(json) && json[0] === "Delimiter" ? (json[1] as Expression) : json;
  const parts = Array.isArray(inner) && inner[0] === "Sequence" ? (inner.slice(1) as Expression[]) : [inner];
  const of = parts.map((part) => termOf(part, names));
  return of.every((one) => one !== undefined) ? of : undefined;
}

function isWhole(term: Term | undefined): boolean {
  return term?.kind === "number" && term.value.under === 1n && !term.value.decimal;
}

function isProperFraction(term: Term): boolean {
  if (term.kind !== "call" || term.name !== "Divide") return false;
  return term.of.length === 2 && term.of.every(isWhole);
}

function decimal(text: string): Term | undefined {
  const value: Rational | undefined = readDecimal(text);
  return value && numberTerm(value);
}

function symbol(name: string, names: ReadonlyMap<string, string>): Term {
  if (name === "e") return symbolTerm("ExponentialE");
  if (name === "i") return symbolTerm("ImaginaryUnit");
  return name === "Half"
    ? callTerm("Divide", ...[1, 2].map((one) => numberTerm(integer(one))))
    : symbolTerm(names.get(name) ?? name);
}
