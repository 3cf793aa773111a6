import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { onePerProcess } from "../../base/index.js";

/** The profiles of all languages, arranged for looking up n-grams. */
export interface LanguageProfiles {
  /** ISO 639-1 codes, `zh-cn` and `zh-tw` among them. */
  languages: readonly string[];
  /** n-gram of one to three characters -> the languages that have it, by position, and its probability in each. */
  grams: ReadonlyMap<string, GramProbabilities>;
  /** Latin-1 characters that count as a blank. */
  blanks: ReadonlySet<string>;
  /** Chinese character -> the one that stands for its group. */
  cjk: ReadonlyMap<string, string>;
  /** Vietnamese letter followed by a combining mark -> the composed letter. */
  vietnamese: ReadonlyMap<string, string>;
}

export interface GramProbabilities {
  languages: Uint8Array;
  probabilities: Float64Array;
}

/** The 55 profiles of langdetect 1.0.9, read from `assets/` on first use. */
export function languageProfiles(): LanguageProfiles {
  return onePerProcess("language profiles", readProfiles);
}

const FILE = new URL("../../../assets/language-profiles.json.br", import.meta.url);

interface PackedProfiles {
  blanks: string;
  vietnamese: { letters: string; marks: string; composedByMark: string[] };
  cjkGroups: string[];
  /** `totals`: counts of all n-grams of length 1, 2 and 3. `grams`: lines of an n-gram and its count. */
  languages: { code: string; totals: [number, number, number]; grams: string }[];
}

function readProfiles(): LanguageProfiles {
  const packed = JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString("utf8")) as PackedProfiles;
  return {
    languages: packed.languages.map(({ code }) => code),
    grams: gramTable(packed.languages),
    blanks: new Set(packed.blanks),
    cjk: new Map(packed.cjkGroups.flatMap((group) => [...group].map((member) => [member, [...group][0]!]))),
    vietnamese: composedLetters(packed.vietnamese),
  };
}

function gramTable(languages: PackedProfiles["languages"]): Map<string, GramProbabilities> {
  const lists = new Map<string, { languages: number[]; probabilities: number[] }>();
  for (const [language, { totals, grams }] of languages.entries()) {
    for (const line of grams.split("\n")) {
      const gram = line.replace(/[0-9]+$/, "");
      const total = totals[gram.length - 1]!;
      let list = lists.get(gram);
      if (list === undefined) {
        list = { languages: [], probabilities: [] };
        lists.set(gram, list);
      }
      list.languages.push(language);
      list.probabilities.push(Number(line.slice(gram.length)) / total);
    }
  }
  const table = new Map<string, GramProbabilities>();
  for (const [gram, list] of lists) {
    table.set(gram, {
      languages: Uint8Array.from(list.languages),
      probabilities: Float64Array.from(list.probabilities),
    });
  }
  return table;
}

function composedLetters({
  letters,
  marks,
  composedByMark,
}: PackedProfiles["vietnamese"]): Map<string, string> {
  const composed = new Map<string, string>();
  for (const [row, mark] of [...marks].entries()) {
    for (const [column, letter] of [...letters].entries()) {
      composed.set(letter + mark, [...composedByMark[row]!][column]!);
    }
  }
  return composed;
}
