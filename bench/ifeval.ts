// Rows per second that the `ifeval` scorer judges, all 25 instructions in turn (one to three a row) on made-up English
// answers of about 250 words; and the first 25 rows, which load profiles and parameters.
// Run: node --import tsx bench/ifeval.ts [ROWS]
import { createRandom } from "../src/base/index.js";
import { INSTRUCTION_IDS, type ScorerRow, scorers } from "../src/scoring/index.js";

const ROWS = Number(process.argv[2] ?? 2000);
const random = createRandom(1, "bench", "ifeval");
const WORDS = (
  "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which " +
  "one you were all her she there would their we him been has when who will no more if out so up said what its about " +
  "than into them can only other time new some could these two may first then do any like my now over such our man " +
  "weather garden letter music river window yesterday question answer summer London NASA"
).split(" ");

const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  "keywords:existence": { keywords: ["weather", "garden"] },
  "keywords:frequency": { keyword: "music", frequency: 3, relation: "at least" },
  "keywords:forbidden_words": { forbidden_words: ["never", "always"] },
  "keywords:letter_frequency": { letter: "q", let_frequency: 5, let_relation: "less than" },
  "language:response_language": { language: "en" },
  "length_constraints:number_sentences": { num_sentences: 10, relation: "at least" },
  "length_constraints:number_paragraphs": { num_paragraphs: 3 },
  "length_constraints:number_words": { num_words: 200, relation: "at least" },
  "length_constraints:nth_paragraph_first_word": {
    num_paragraphs: 4,
    nth_paragraph: 2,
    first_word: "weather",
  },
  "detectable_content:number_placeholders": { num_placeholders: 2 },
  "detectable_content:postscript": { postscript_marker: "P.S." },
  "detectable_format:number_bullet_lists": { num_bullets: 3 },
  "detectable_format:number_highlighted_sections": { num_highlights: 2 },
  "detectable_format:multiple_sections": { section_spliter: "Section", num_sections: 2 },
  "combination:repeat_prompt": { prompt_to_repeat: "Write about the weather." },
  "startend:end_checker": { end_phrase: "That is all." },
  "change_case:capital_word_frequency": { capital_frequency: 3, capital_relation: "at least" },
};

const rows = Array.from({ length: ROWS }, (_, index) => madeRow(index));
const scorer = scorers.lookup("ifeval");
const first = await seconds(rows.slice(0, INSTRUCTION_IDS.length));
const all = await seconds(rows);
console.log(
  JSON.stringify({
    rows: ROWS,
    first_rows_ms: Math.round(first * 1000),
    rows_per_second: Math.round(ROWS / all),
    heap_mb: Math.round(process.memoryUsage().heapUsed / 1e6),
  }),
);

async function seconds(judged: ScorerRow[]): Promise<number> {
  const start = performance.now();
  const scoring = scorer.score(judged);
  for await (const row of scoring.rows) if (row.error !== undefined) throw new Error(row.error);
  return (performance.now() - start) / 1000;
}

function madeRow(index: number): ScorerRow {
  const ids = Array.from(
    { length: 1 + (index % 3) },
    (_, place) => INSTRUCTION_IDS[(index + 7 * place) % INSTRUCTION_IDS.length]!,
  );
  return {
    instruction_id_list: ids,
    kwargs: ids.map((id) => ARGUMENTS[id] ?? {}),
    generated_answer: madeAnswer(),
  };
}

function madeAnswer(): string {
  const sentence = () => {
    const words = Array.from({ length: 6 + random.int(14) }, () => WORDS[random.int(WORDS.length)]!);
    return `${words.join(" ").replace(/^./, (letter) => letter.toUpperCase())}${".?!".charAt(random.int(3))}`;
  };
  const paragraph = () => Array.from({ length: 4 + random.int(3) }, sentence).join(" ");
  return Array.from({ length: 4 }, paragraph).join("\n\n");
}
