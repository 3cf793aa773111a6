// Packs the excerpts of benchmarks that come with the package: the first rows of each file, as they stand.
//   node scripts/writeExcerpts.mjs BENCHMARKS CORE
// BENCHMARKS and CORE are the folders that test/parity/sources.json names as `benchmarks` and `core`. Which rows may be
// passed on, and under which terms, is said in assets/excerpts/LICENSES.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const [benchmarks, core] = process.argv.slice(2);
if (core === undefined) {
  console.error("usage: node scripts/writeExcerpts.mjs BENCHMARKS CORE");
  process.exit(2);
}
const target = fileURLToPath(new URL("../assets/excerpts/", import.meta.url));
const sources = {};
let bytes = 0;

const NONE = { train: null, validation: null, test: null };

lines("ifeval", "ifeval/input_data.jsonl", 100, { ifeval: { train: {} } });
for (const name of ["Easy", "Challenge"]) {
  const task = `arc_${name.toLowerCase()}`;
  lines(`${task}-test`, `arc/ARC-${name}-test.jsonl.gz`, 100, { [task]: { ...NONE, test: {} } });
  lines(`${task}-train`, `arc/ARC-${name}-train.jsonl.gz`, 60, { [task]: { train: {} } });
}
lines("piqa", "piqa/valid.jsonl.gz", 100, {
  piqa: { ...NONE, validation: {} },
  piqa_hf: { validation: {} },
});
lines("hellaswag", "hellaswag/validation-raw-1000.jsonl.gz", 100, {
  hellaswag: { ...NONE, validation: {} },
});
lines("winogrande", "winogrande/validation.jsonl.gz", 100, {
  winogrande: { ...NONE, validation: { form: "winogrande_options" } },
});
lines("lambada_openai", "lambada/openai_test.jsonl.gz", 60, { "lambada_openai*": { ...NONE, test: {} } });
lines("lambada_standard", "lambada/standard_test.txt.gz", 60, {
  "lambada_standard*": { ...NONE, test: {} },
});
lines("gsm8k-test", "gsm8k/test.jsonl.gz", 60, { gsm8k: { ...NONE, test: {} } });
lines("gsm8k-train", "gsm8k/train.jsonl.gz", 40, { gsm8k: { train: {} } });
lines("squad_v2", "squad2/validation-sample500.jsonl.gz", 60, {
  "lighteval:squad_v2": { ...NONE, validation: {} },
});

const subject = { where: { subject: "$config" } };
lines("mmlu-dev", "mmlu/dev.jsonl.gz", 285, { "mmlu_*": { ...NONE, auxiliary_train: null, dev: subject } });
const seen = new Map();
const two = textOf(join(benchmarks, "mmlu/test.jsonl.gz"))
  .trimEnd()
  .split("\n")
  .filter((line) => {
    const { subject: name } = JSON.parse(line);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return seen.get(name) <= 2;
  });
write("mmlu-test.jsonl.gz", `${two.join("\n")}\n`, { "mmlu_*": { test: subject } });

// Of its own kind, for a subset of MMLU it is not.
sources.mmlu_pro = {};
sources["mmlu_pro_*"] = {};

const truths = JSON.parse(textOf(join(benchmarks, "truthfulqa/mc_task.json.gz"))).slice(0, 40);
write("truthfulqa.json.gz", JSON.stringify(truths), {
  "truthfulqa_mc*": { validation: { form: "truthfulqa_labels" } },
});

const raw = textOf(join(benchmarks, "wikitext2/wiki.test.raw.gz"));
const titles = [...raw.matchAll(/^ = [^=].* = $/gm)].map(({ index }) => index);
write("wikitext.raw.gz", raw.slice(0, titles[2]), {
  "wikitext*": { ...NONE, test: { form: "wikitext_pages" } },
});

const boolq = join(core, "eval_data/reading_comprehension/boolq.jsonl");
write("boolq.jsonl.gz", firstLines(boolq, 50), {
  boolq: { ...NONE, validation: { form: "boolq_query" } },
  "lighteval:boolq": { ...NONE, validation: { form: "boolq_helm_query" } },
  "core:boolq": { eval: {} },
});
for (const [label, file] of Object.entries({
  arc_easy: "world_knowledge/arc_easy",
  arc_challenge: "world_knowledge/arc_challenge",
  bigbench_qa_wikidata: "world_knowledge/bigbench_qa_wikidata",
  piqa: "commonsense_reasoning/piqa",
  lambada_openai: "language_understanding/lambada_openai",
  winograd: "language_understanding/winograd_wsc",
  winogrande: "language_understanding/winogrande",
  bigbench_dyck_languages: "symbolic_problem_solving/bigbench_dyck_languages",
  bigbench_cs_algorithms: "symbolic_problem_solving/bigbench_cs_algorithms",
  bigbench_operators: "symbolic_problem_solving/bigbench_operators",
  bigbench_repeat_copy_logic: "symbolic_problem_solving/bigbench_repeat_copy_logic",
  bigbench_language_identification: "language_understanding/bigbench_language_identification.first1000",
})) {
  const lines = firstLines(join(core, "eval_data", `${file}.jsonl`), 40);
  write(`core-${label}.jsonl.gz`, lines, { [`core:${label}`]: { eval: {} } });
}
const scenes = textOf(join(benchmarks, "hellaswag/validation-text.jsonl.gz"))
  .split("\n", 40)
  .map((line) => JSON.parse(line))
  .map(({ query, endings, label }) => JSON.stringify({ query, choices: endings, gold: label }));
write("core-hellaswag.jsonl.gz", `${scenes.join("\n")}\n`, { "core:hellaswag*": { eval: {} } });

writeFileSync(join(target, "sources.json"), `${JSON.stringify(sources, null, 2)}\n`);
console.log(`${bytes} bytes`);

/** The first lines of a file of BENCHMARKS. */
function lines(name, file, count, tasks) {
  const end = /\.(jsonl|txt)/.exec(file)[0];
  write(`${name}${end}.gz`, firstLines(join(benchmarks, file), count), tasks);
}

function firstLines(path, count) {
  return `${textOf(path).trimEnd().split("\n").slice(0, count).join("\n")}\n`;
}

function textOf(path) {
  const content = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(content) : content).toString("utf8");
}

/** @param tasks task -> split -> what is to be done with the rows, or null where there is no such split */
function write(name, text, tasks) {
  const path = join(target, name);
  mkdirSync(dirname(path), { recursive: true });
  const packed = gzipSync(text, { level: 9 });
  // The time of packing would make another file of the same rows.
  packed.fill(0, 4, 8);
  writeFileSync(path, packed);
  bytes += packed.length;
  for (const [task, splits] of Object.entries(tasks)) {
    for (const [split, how] of Object.entries(splits)) {
      const file = how !== null && Object.keys(how).length === 0 ? name : how && { file: name, ...how };
      sources[task] = { ...sources[task], [split]: file };
    }
  }
}
