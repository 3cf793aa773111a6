/**
 * LaTeX of an answer in one spelling: line ends, units and sizes of brackets away, fractions and roots with braces
 * (the normaliser of the MATH data set, Hendrycks et al. 2021). Its oddities are kept: `\leq` loses `\le`.
 */
export function tidyLatex(text: string): string {
  let tidy = text
    .replaceAll("\n", "")
    .replaceAll("\\!", "")
    .replaceAll("\\\\", "\\")
    .replaceAll("cfrac", "frac")
    .replaceAll("tfrac", "frac")
    .replaceAll("dfrac", "frac")
    .replaceAll("\\left", "")
    .replaceAll("\\le", "")
    .replaceAll("\\right", "")
    .replaceAll("^{\\circ}", "")
    .replaceAll("^\\circ", "")
    .replaceAll("\\$", "");
  tidy = withoutUnits(tidy).replaceAll("\\%", "").replaceAll(" .", " 0.").replaceAll("{.", "{0.");
  if (tidy === "") return tidy;
  if (tidy.startsWith(".")) tidy = `0${tidy}`;
  tidy = tidy.split("=").at(-1)!;
  tidy = bracedFractions(bracedRoots(tidy).replaceAll(" ", ""));
  if (tidy === "0.5") return "\\frac{1}{2}";
  const [, above, below] = WHOLE_FRACTION.exec(tidy) ?? [];
  return above === undefined ? tidy : `\\frac{${above}}{${below}}`;
}

const WHOLE_FRACTION = /^(0|-?[1-9]\d*)\/(0|-?[1-9]\d*)$/;

/** A unit follows in `\text{ `; where that occurs twice, it is none. */
function withoutUnits(text: string): string {
  const parts = text.split("\\text{ ");
  return parts.length === 2 ? parts[0]! : text;
}

/** `\sqrt3` is `\sqrt{3}`; a root of nothing leaves all as it was. */
function bracedRoots(text: string): string {
  const [before, ...roots] = text.split("\\sqrt") as [string, ...string[]];
  if (roots.includes("")) return text;
  const braced = roots.map((root) => (root.startsWith("{") ? root : `{${first(root)}}${rest(root)}`));
  return [before, ...braced].join("\\sqrt");
}

/** `\frac12` is `\frac{1}{2}`, `\frac1{72}` is `\frac{1}{72}`; one that is too short leaves all as it was. */
function bracedFractions(text: string): string {
  const [before, ...fractions] = text.split("\\frac") as [string, ...string[]];
  if (fractions.some((fraction) => fraction === "" || (fraction[0] !== "{" && rest(fraction) === "")))
    return text;
  const braced = fractions.map((fraction) => {
    if (fraction.startsWith("{")) return fraction;
    const below = rest(fraction);
    return `{${first(fraction)}}${below.startsWith("{") ? below : `{${first(below)}}${rest(below)}`}`;
  });
  return [before, ...braced].join("\\frac");
}

function first(text: string): string {
  return String.fromCodePoint(text.codePointAt(0)!);
}

function rest(text: string): string {
  return text.slice(first(text).length);
}
