import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { onePerProcess } from "../../base/index.js";

/** The profiles of all languages, arranged for looking up n-grams. */
export interface LanguageProfiles {
  /** ISO 639-1 codes, `zh-cn` and `zh-tw` among them. */
  languages: readonly string[];
  grams: GramTable;
  /** Latin-1 characters that count as a blank. */
  blanks: ReadonlySet<string>;
  /** Chinese character -> the one that stands for its group. */
  cjk: ReadonlyMap<string, string>;
  /** Vietnamese letter followed by a combining mark -> the composed letter. */
  vietnamese: ReadonlyMap<string, string>;
}

/** Probabilities of n-grams, in flat arrays: 87,598 n-grams and 184,129 numbers for 55 languages. */
export interface GramTable {
  /** n-gram of one to three characters -> its place. */
  places: ReadonlyMap<string, number>;
  /** Place -> where its languages begin in the two arrays below; one more at the end. */
  starts: Uint32Array;
  /** Languages that have the n-gram, by position. */
  languages: Uint8Array;
  /** Its probability in each. */
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

function gramTable(languages: PackedProfiles["languages"]): GramTable {
  const lists = languages.map(({ grams }) => grams.split("\n").map(gramAndCount));
  const places = new Map<string, number>();
  const sizes: number[] = [];
  for (const [gram] of lists.flat()) {
    const place = places.get(gram);
    if (place !== undefined) {
      sizes[place]!++;
    } else {
      places.set(gram, sizes.length);
      sizes.push(1);
    }
  }
  const starts = new Uint32Array(sizes.length + 1);
  for (const [place, size] of sizes.entries()) starts[place + 1] = starts[place]! + size;
  const next = starts.slice();
  const table = {
    places,
    starts,
    languages: new Uint8Array(starts.at(-1)!),
    probabilities: new Float64Array(starts.at(-1)!),
  };
  for (const [language, list] of lists.entries()) {
    const { totals } = languages[language]!;
    for (const [gram, count] of list) {
      const entry = next[places.get(gram)!]!++;
      table.languages[entry] = language;
      table.probabilities[entry] = count / totals[gram.length - 1]!;
    }
  }
  return table;
}

/** A line is an n-gram, which has no digit, and its count. */
function gramAndCount(line: string): [gram: string, count: number] {
  let end = line.length;
  while (line.charCodeAt(end - 1) <= NINE && line.charCodeAt(end - 1) >= ZERO) end--;
  return [line.slice(0, end), Number(line.slice(end))];
}

const ZERO = 0x30;
const NINE = 0x39;

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
