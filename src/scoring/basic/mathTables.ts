// Tables of the mathematics function of Llama Stack (Meta Platforms, MIT licence), content unchanged; the
// substitutions and removed expressions are those of the Minerva paper (Lewkowycz et al. 2022).

/** Where the final answer stands; Python's notation. */
export const FINAL_ANSWER = ".*final answer is:?\\s*\\$\\\\boxed{(?P<X>.*)}\\$";

/** Replaced one after the other, everywhere. */
export const SUBSTITUTIONS: readonly (readonly [from: string, to: string])[] = [
  ["an ", ""],
  ["a ", ""],
  [".$", "$"],
  ["\\$", ""],
  ["\\ ", ""],
  [" ", ""],
  ["mbox", "text"],
  [",\\text{and}", ","],
  ["\\text{and}", ","],
  ["\\text{m}", "\\text{}"],
];

/** Deleted one after the other, everywhere: units, mostly. */
export const REMOVED: readonly string[] = [
  "square",
  "ways",
  "integers",
  "dollars",
  "mph",
  "inches",
  "ft",
  "hours",
  "km",
  "units",
  "\\ldots",
  "sue",
  "points",
  "feet",
  "minutes",
  "digits",
  "cents",
  "degrees",
  "cm",
  "gm",
  "pounds",
  "meters",
  "meals",
  "edges",
  "students",
  "childrentickets",
  "multiples",
  "\\text{s}",
  "\\text{.}",
  "\\text{\ns}",
  "\\text{}^2",
  "\\text{}^3",
  "\\text{\n}",
  "\\text{}",
  "\\mathrm{th}",
  "^\\circ",
  "^{\\circ}",
  "\\;",
  ",\\!",
  "{,}",
  '"',
  "\\dots",
];
