import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkInstructions } from "../../src/scoring/ifeval/index.js";
import { detectLanguages } from "../../src/scoring/languages/index.js";
import { isPythonJson, pythonPattern } from "../../src/scoring/python/index.js";
import { splitSentences, wordTokens } from "../../src/scoring/sentences/index.js";

/** Made-up texts full of odd characters, and what lighteval, NLTK, langdetect and CPython make of them (make.py). */
type Case =
  | {
      kind: "check";
      id: string;
      kwargs: Record<string, unknown>;
      response: string;
      expected: [boolean, boolean];
    }
  | { kind: "tokens"; text: string; expected: [string[], string[]] }
  | { kind: "languages"; text: string; expected: [string, number][] | null }
  | { kind: "pattern"; pattern: string; flags: string; text: string; expected: string[] }
  | { kind: "json"; text: string; expected: boolean };

const cases = readFileSync(new URL("goldens/reference.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

it.each([
  ["check", 180],
  ["tokens", 70],
  ["languages", 73],
  ["pattern", 168],
  ["json", 59],
] as const)("%s: each of %i cases comes out as in the reference", (kind, count) => {
  const own = cases.filter((row) => row.kind === kind);
  expect(own.length).toBe(count);
  expect(own.map((row) => ({ ...row, expected: outcome(row) }))).toEqual(own);
});

function outcome(row: Case): Case["expected"] {
  switch (row.kind) {
    case "check": {
      const { id, kwargs, response } = row;
      const { strict, loose } = checkInstructions({ instructionIdList: [id], kwargs: [kwargs], response });
      return [strict[0]!, loose[0]!];
    }
    case "tokens":
      return [splitSentences(row.text), wordTokens(row.text)];
    case "languages": {
      const found = detectLanguages(row.text);
      const rounded = found?.map(({ language, probability }): [string, number] => [
        language,
        Number(probability.toFixed(6)),
      ]);
      return rounded ?? null;
    }
    case "pattern": {
      const flags = { ignoreCase: row.flags.includes("i"), multiline: row.flags.includes("m") };
      return [...(row.text.match(pythonPattern(row.pattern, flags)) ?? [])];
    }
    case "json":
      return isPythonJson(row.text);
  }
}
