// Packs the parameters of the sentence splitter and the language profiles into assets/.
//   node scripts/writeTextAssets.mjs FOLDER
// FOLDER holds `punkt-english/punkt_en.json` (the four parameter sets of NLTK's English Punkt model),
// `langdetect-profiles/profiles.json.gz` and `langdetect-profiles/normalisation.json` (langdetect 1.0.9).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node scripts/writeTextAssets.mjs FOLDER");
  process.exit(2);
}

const punkt = JSON.parse(readFileSync(join(folder, "punkt-english", "punkt_en.json"), "utf8"));
write("punkt-english.json.br", {
  abbreviations: punkt.abbrev_types,
  collocations: punkt.collocations,
  sentenceStarters: punkt.sent_starters,
  orthography: wordsByContext(punkt.ortho_context),
});

const profiles = JSON.parse(
  gunzipSync(readFileSync(join(folder, "langdetect-profiles", "profiles.json.gz"))).toString("utf8"),
);
const tables = JSON.parse(readFileSync(join(folder, "langdetect-profiles", "normalisation.json"), "utf8"));
write("language-profiles.json.br", {
  blanks: tables.latin1_excluded,
  vietnamese: {
    letters: tables.vi.letters,
    marks: tables.vi.marks,
    composedByMark: tables.vi.composed_by_mark,
  },
  cjkGroups: tables.cjk_groups,
  // In the order of the source: the last digits of the probabilities depend on it.
  languages: Object.entries(profiles).map(([code, { n_words, freq }]) => ({
    code,
    totals: n_words,
    grams: gramLines(freq),
  })),
});

/** Context bits -> the words seen in it, sorted and joined by blanks. */
function wordsByContext(contexts) {
  const groups = {};
  for (const word of Object.keys(contexts).sort()) {
    if (/\s/.test(word)) throw new Error(`a word with white space: ${JSON.stringify(word)}`);
    groups[contexts[word]] = groups[contexts[word]] ? `${groups[contexts[word]]} ${word}` : word;
  }
  return groups;
}

/** One line per n-gram: its characters, then its count. No n-gram holds an ASCII digit or a line feed. */
function gramLines(counts) {
  const grams = Object.keys(counts).sort();
  const odd = grams.find((gram) => /[0-9\n]/.test(gram) || gram.length < 1 || gram.length > 3);
  if (odd !== undefined) throw new Error(`an n-gram that does not fit the format: ${JSON.stringify(odd)}`);
  return grams.map((gram) => gram + counts[gram]).join("\n");
}

function write(name, value) {
  const bytes = brotliCompressSync(Buffer.from(JSON.stringify(value)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  writeFileSync(join(fileURLToPath(new URL("../assets", import.meta.url)), name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
