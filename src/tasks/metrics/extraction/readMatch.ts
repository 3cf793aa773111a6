import {
  type Mathematics,
  normalizeLatex,
  parseMathematics,
  percent,
  readArithmetic,
  readNumber,
} from "../../../scoring/index.js";
import { MOST_NEXT } from "./latexPatterns.js";

type Read = { value: Mathematics | string | undefined; written: string };
type Groups = Readonly<Record<string, string | undefined>>;

/** The letter of a choice, without brackets. */
export function readLetter(match: RegExpMatchArray): Read {
  const letter = (match.groups as Groups).letter!.replace(/[()]/g, "").trim();
  return { value: letter, written: letter };
}

/** A number, perhaps a percentage, or a sum in plain notation. */
export function readExpression(match: RegExpMatchArray): Read {
  const groups = match.groups as Groups;
  const one = (kind: string) => groups[`${kind}1`] ?? groups[`${kind}2`] ?? groups[`${kind}3`] ?? "";
  const [integer, decimal] = [one("integer"), one("decimal")];
  if (integer === "" && decimal === "") {
    const expression = groups.expr ?? "";
    return {
      value: readArithmetic(expression.replaceAll("\n", " ").replaceAll("^", "**")),
      written: expression,
    };
  }
  const whole = integer.replace(/[, ]/g, "").replace(/^0+/, "") || "0";
  const written = `${whole}${decimal.replaceAll(",", ".")}`;
  const value = readNumber(written);
  return { value: value && groups.percent !== undefined ? percent(value) : value, written };
}

/** One formula, or several that are connected as the set of them. */
export function readLatex(match: RegExpMatchArray): Read {
  const groups = match.groups as Groups;
  const prefixes = ["first", ...Array.from({ length: MOST_NEXT }, (_, index) => `next${index + 1}`)];
  const parts = prefixes.flatMap((prefix) => {
    const name = Object.keys(groups).find((key) => key.startsWith(`${prefix}_latex`) && groups[key]);
    if (name === undefined) return [];
    const written = normalizeLatex(groups[name]!, name.endsWith("latexBoxed") ? "last" : "all");
    const value = parseMathematics(written);
    return [{ written, value: value && groups[`${prefix}_percent`] ? percent(value) : value }];
  });
  const values = parts.flatMap(({ value }) => value ?? []);
  if (parts.length > 1 && values.length === parts.length) {
    const elements = values.flatMap((value) => (value.kind === "set" ? value.elements : [value]));
    return { value: { kind: "set", elements }, written: parts.map(({ written }) => written).join(" and ") };
  }
  return { value: parts[0]?.value, written: parts[0]?.written ?? "" };
}
