import type { CoreSpec } from "./coreTask.js";

const ANSWER = "\nAnswer: ";

/** The 22 tasks of CORE in the order they are run in. */
export const coreTasks: readonly CoreSpec[] = [
  choice("hellaswag_zeroshot", 0, "language_understanding/hellaswag"),
  words("jeopardy", 10, "world_knowledge/jeopardy_all", ANSWER),
  words("bigbench_qa_wikidata", 10, "world_knowledge/bigbench_qa_wikidata"),
  choice("arc_easy", 10, "world_knowledge/arc_easy", ANSWER),
  choice("arc_challenge", 10, "world_knowledge/arc_challenge", ANSWER),
  choice("copa", 0, "commonsense_reasoning/copa"),
  choice("commonsense_qa", 10, "commonsense_reasoning/commonsense_qa"),
  choice("piqa", 10, "commonsense_reasoning/piqa", ANSWER),
  choice("openbook_qa", 0, "commonsense_reasoning/openbook_qa"),
  words("lambada_openai", 0, "language_understanding/lambada_openai"),
  choice("hellaswag", 10, "language_understanding/hellaswag"),
  schema("winograd", 0, "language_understanding/winograd_wsc"),
  schema("winogrande", 0, "language_understanding/winogrande"),
  words("bigbench_dyck_languages", 10, "symbolic_problem_solving/bigbench_dyck_languages"),
  choice("agi_eval_lsat_ar", 3, "symbolic_problem_solving/agi_eval_lsat_ar"),
  words("bigbench_cs_algorithms", 10, "symbolic_problem_solving/bigbench_cs_algorithms"),
  words("bigbench_operators", 10, "symbolic_problem_solving/bigbench_operators"),
  words("bigbench_repeat_copy_logic", 10, "symbolic_problem_solving/bigbench_repeat_copy_logic"),
  words("squad", 10, "reading_comprehension/squad"),
  words("coqa", 0, "reading_comprehension/coqa"),
  choice("boolq", 10, "reading_comprehension/boolq", ANSWER),
  choice("bigbench_language_identification", 10, "language_understanding/bigbench_language_identification"),
];

function choice(label: string, shots: number, file: string, delimiter = " "): CoreSpec {
  return { label, form: "multiple_choice", shots, file: `${file}.jsonl`, delimiter };
}

function schema(label: string, shots: number, file: string): CoreSpec {
  return { label, form: "schema", shots, file: `${file}.jsonl` };
}

function words(label: string, shots: number, file: string, delimiter = " "): CoreSpec {
  return { label, form: "language_modeling", shots, file: `${file}.jsonl`, delimiter };
}
