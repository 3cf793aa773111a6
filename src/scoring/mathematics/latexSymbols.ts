/**
 * Puts a plain word in the place of each name that LaTeX writes with more than one letter: words in `\text{}`, letters with
 * accents and with subscripts. A text and what its words stand for.
 */
export function nameSymbols(latex: string): { text: string; names: ReadonlyMap<string, string> } {
  const words = new Map<string, string>();
  const wordOf = (name: string): string => {
    const known = words.get(name) ?? `zq${letters(words.size)}`;
    words.set(name, known);
    return ` \\mathrm{${known}} `;
  };
  let text = latex
    .replace(TEXT, (_, inner: string) => wordOf(inner.replace(/[\s()]/g, "") || "empty"))
    .replace(ACCENT, (_, accent: string, inner: string) =>
      wordOf(`${ACCENTS[accent] ?? accent}{${inner.replace(/\s/g, "")}}`),
    )
    .replace(FIGURE, (_, figure: string) => wordOf(figure))
    // The base that a number is written in is not read.
    .replace(/(\d)_(?:\{[^{}]*\}|\w)/g, "$1");
  const byWord = (word: string): string => [...words].find(([, one]) => one === word)?.[0] ?? word;
  text = text.replace(SUBSCRIPT, (_, word?: string, letter?: string, greek?: string, sub = "") => {
    const inner = sub
      .replace(/^\{|\}$/g, "")
      .replace(/\\mathrm\{(zq[a-z]+)\}/g, (_all: string, one: string) => byWord(one));
    return wordOf(`${word === undefined ? (letter ?? greek) : byWord(word)}_${inner.replace(/\s/g, "")}`);
  });
  return { text, names: new Map([...words].map(([name, word]) => [word, name])) };
}

const TEXT =
  /\\(?:text|mbox|textrm|textbf|textit|textsf|texttt|mathrm|mathbf|mathit|mathsf|operatorname)\s*\{([^{}]*)\}/g;
const ACCENT =
  /\\(overline|bar|vec|overrightarrow|tilde|widetilde|hat|widehat|dot|mathcal|mathfrak|mathscr)\s*\{([^{}]*)\}/g;
const FIGURE = /\\(angle|triangle|parallel|perp|square|ell|partial|nabla)(?![a-zA-Z])/g;
const SUBSCRIPT =
  /(?:\\mathrm\{(zq[a-z]+)\}\s*|(?<!\\[a-zA-Z]*)([A-Za-z])|(\\(?:alpha|beta|gamma|delta|epsilon|theta|lambda|mu|nu|pi|rho|sigma|tau|phi|omega)))\s*_\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\w|\\[a-zA-Z]+)/g;

/** Accents that say the same. */
const ACCENTS: Readonly<Record<string, string>> = {
  overline: "bar",
  overrightarrow: "vec",
  widetilde: "tilde",
  widehat: "hat",
};

function letters(count: number): string {
  const last = String.fromCharCode(97 + (count % 26));
  return count < 26 ? last : letters(Math.floor(count / 26) - 1) + last;
}
