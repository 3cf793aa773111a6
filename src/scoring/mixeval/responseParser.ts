import { PythonRandom, unknownName } from "../../base/index.js";
import { parsers } from "../parsers/parsers.js";
import { STEP_BY_STEP } from "./constructPrompt.js";
import { extractChoice } from "./extractChoice.js";
import { extractFreeForm } from "./extractFreeForm.js";
import { isChoice, type MixEvalResponse, optionLetters } from "./mixEvalRow.js";
import { ruleChoice } from "./ruleChoice.js";
import { type FreeFormReading, ruleFreeForm, ruleReading } from "./ruleFreeForm.js";

/** What became of an answer. */
export interface ParsedResponse {
  /** 0 to 1; null where a judge gave no verdict. */
  readonly score: number | null;
  /** The letter, null for none; of a free-form answer what was compared. */
  readonly parsed: string | null | FreeFormReading;
  /** Whether the original would draw a letter here. */
  readonly random: boolean;
}

/** Reads one answer and scores it. */
export type ResponseParser = (
  answer: MixEvalResponse,
  signal?: AbortSignal,
) => ParsedResponse | Promise<ParsedResponse>;

/** What parsers need beside the answers. */
export interface ParserOptions {
  /** Draw a letter where the rule-based parser finds none, as the original does (seed 42). Default false: 0 points. */
  readonly randomDraws?: boolean | undefined;
}

/** The names of parsers that are MixEval's own; `judge` needs a model, all others are those of `parsers`. */
export const MIXEVAL_PARSERS = ["rule", "extract", "judge"] as const;

/**
 * A parser by name: `rule` is MixEval's rule-based one, decision for decision; `extract` reads what `rule` misses
 * (letters in bold, numbers in any spelling); another name is that of a registered answer parser, whose answer
 * counts as a whole.
 * @throws NAME_UNKNOWN with the nearest name
 */
export function responseParser(name: string, options: ParserOptions = {}): ResponseParser {
  if (name === "rule") return ruleParser(options);
  if (name === "extract") return extractParser;
  if (!parsers.has(name)) {
    throw unknownName("parser", name, [...MIXEVAL_PARSERS, ...parsers.registeredNames()]);
  }
  const parser = parsers.lookup(name);
  return ({ row, response }) => {
    const parsed = parser.parse(response, row);
    if (isChoice(row)) return choice(row, parsed);
    return freeForm(extractFreeForm(parsed ?? "", texts(row.target), false));
  };
}

function ruleParser({ randomDraws = false }: ParserOptions): ResponseParser {
  const random = new PythonRandom(42);
  return ({ row, response }) => {
    if (!isChoice(row)) {
      const reading = ruleReading(response);
      return freeForm({ ...reading, right: ruleFreeForm(reading, texts(row.target)) });
    }
    const letters = optionLetters(row);
    const found = ruleChoice(response, letters, row.options!);
    if (found !== null) return choice(row, found);
    return { ...choice(row, randomDraws ? random.choice(letters) : null), random: true };
  };
}

const extractParser: ResponseParser = ({ row, response }) =>
  isChoice(row)
    ? choice(row, extractChoice(response, optionLetters(row), row.options!))
    : freeForm(extractFreeForm(response, texts(row.target), STEP_BY_STEP.has(row.benchmark_name)));

/** The letter read, and a point where it is the right one. */
export function choice(row: MixEvalResponse["row"], letter: string | null): ParsedResponse {
  const gold = optionLetters(row)[Number(row.target[0])];
  return { score: letter !== null && letter === gold ? 1 : 0, parsed: letter, random: false };
}

function freeForm({ right, numbers, strings }: FreeFormReading & { right: boolean }): ParsedResponse {
  return { score: right ? 1 : 0, parsed: { numbers, strings }, random: false };
}

function texts(targets: readonly (string | number)[]): string[] {
  return targets.map(String);
}
