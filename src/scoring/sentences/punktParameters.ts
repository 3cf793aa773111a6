import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { onePerProcess } from "../../base/index.js";

/** What the Punkt model of a language knows (Kiss and Strunk 2006). Words are in lower case. */
export interface PunktParameters {
  /** Abbreviations without their final dot. */
  abbreviations: ReadonlySet<string>;
  /** Pairs that belong together across a dot, joined by a blank. */
  collocations: ReadonlySet<string>;
  /** Words that often begin a sentence. */
  sentenceStarters: ReadonlySet<string>;
  /** Word -> where and how it was seen, as the bits of `SEEN`. */
  orthography: ReadonlyMap<string, number>;
}

/** The bits of `orthography`: first letter upper or lower case, at a sentence's start, inside one, or unknown. */
export const SEEN = {
  upperInside: 4,
  lowerAtStart: 16,
  /** At the start 2, inside 4, unknown 8. */
  upper: 2 | 4 | 8,
  /** At the start 16, inside 32, unknown 64. */
  lower: 16 | 32 | 64,
} as const;

/** The English parameters of NLTK, read from `assets/` on first use. */
export function englishParameters(): PunktParameters {
  return onePerProcess("English sentence parameters", readParameters);
}

const FILE = new URL("../../../assets/punkt-english.json.br", import.meta.url);

interface PackedParameters {
  abbreviations: string[];
  collocations: [string, string][];
  sentenceStarters: string[];
  /** Bits -> words joined by blanks. */
  orthography: Record<string, string>;
}

function readParameters(): PunktParameters {
  const packed = JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString("utf8")) as PackedParameters;
  const orthography = new Map<string, number>();
  for (const [bits, words] of Object.entries(packed.orthography)) {
    for (const word of words.split(" ")) orthography.set(word, Number(bits));
  }
  return {
    abbreviations: new Set(packed.abbreviations),
    collocations: new Set(packed.collocations.map((pair) => pair.join(" "))),
    sentenceStarters: new Set(packed.sentenceStarters),
    orthography,
  };
}
