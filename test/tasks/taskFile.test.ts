import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { defineTask, meanMetric, resolveTask, runTask, showDocuments } from "../../src/tasks/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { arcRow } from "./documents.js";

const folder = temporaryFolder("task-files");
let files = 0;

function file(text: string, name = `task${files++}.toml`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const taskOf = (path: string) => resolveTask(path).tasks[0]!;
function shown(path: string, row: Record<string, unknown>, pool = [row]) {
  const { task, shots } = taskOf(path);
  return showDocuments(task.documents({ evaluated: [row], pool }, { shots }));
}

const COLOURS = `
task = "colours"
dataset_path = "owner/colours"
test_split = "test"
training_split = "train"
output_type = "multiple_choice"
description = "Colours.\\n\\n"
doc_to_text = "Question: {{ question.strip() }}\\nAnswer:"
doc_to_choice = "{{ [first, second] }}"
doc_to_target = "answer"
`;

describe("a task file", () => {
  const row = { question: " Sky? ", first: "red", second: "blue", answer: 1 };

  it("asks questions with choices by templates over columns", () => {
    expect(shown(file(COLOURS), row)).toMatchObject([
      {
        kind: "loglikelihood",
        prompts: ["Colours.\n\nQuestion: Sky?\nAnswer:"],
        continuations: [" red", " blue"],
        gold: 1,
      },
    ]);
    expect(taskOf(file(COLOURS)).task).toMatchObject({
      name: "colours",
      data: { repositories: ["owner/colours"], evaluated: ["test"], pool: ["train", "test"] },
    });
  });

  it("shows examples, as many as it says or the name", () => {
    const path = file(`${COLOURS}num_fewshot = 1\n[fewshot_config]\nsampler = "first_n"\n`);
    expect(shown(path, row)[0]!.prompts).toEqual([
      "Colours.\n\nQuestion: Sky?\nAnswer: blue\n\nQuestion: Sky?\nAnswer:",
    ]);
    expect(resolveTask(`${path}|0`).tasks[0]).toMatchObject({ shots: 0 });
  });

  it.each([
    ["a number as text", "1", 1],
    ["the text of a choice", "red", 0],
    ["none of the choices", "green", -1],
    ["several", [0, 1], [0, 1]],
  ])("finds what is right by %s", (_, answer, gold) => {
    expect(shown(file(COLOURS), { ...row, answer })[0]!.gold).toEqual(gold);
  });

  it("generates answers, with filters and stops", async () => {
    const path = file(`
task = "sums"
dataset_path = "sums"
test_split = "test"
doc_to_text = "sum"
doc_to_target = "{{ total }}"
generation_kwargs = { until = ["\\n"], max_gen_toks = 12, do_sample = false }
[[metric_list]]
metric = "exact_match"
regexes_to_ignore = [",", '(?s).*#### ']
[[filter_list]]
name = "first"
filter = [{ function = "regex", regex_pattern = "(\\\\d+)" }, { function = "take_first" }]
[[filter_list]]
name = "last"
filter = [{ function = "regex", regex_pattern = "(\\\\d+)", group_select = -1 }]
`);
    const sum = { sum: "1 + 2 =", total: 3 };
    expect(shown(path, sum)).toMatchObject([
      { kind: "generate", prompts: ["1 + 2 ="], stop: ["\n"], max_new_tokens: 12, gold: ["3"] },
    ]);
    const model = new ScriptedLanguageModel({ answer: () => " 3, not 4" });
    const { metrics } = await runTask(taskOf(path).task, { evaluated: [sum], pool: [] }, model);
    expect(Object.fromEntries(metrics)).toEqual({ "exact_match,first": 1, "exact_match,last": 0 });
  });

  it("scores words and whole texts", () => {
    const words = file(
      'task = "words"\ndataset_path = "d"\ntest_split = "test"\noutput_type = "loglikelihood"\ndoc_to_text = "{{ text.split(\' \')[:-1] | join(\' \') }}"\ndoc_to_target = "{{ \' \' + text.split(\' \')[-1] }}"\n',
    );
    expect(shown(words, { text: "one two three" })).toMatchObject([
      { prompts: ["one two"], continuations: [" three"] },
    ]);
    const pages = file(
      'task = "pages"\ndataset_path = "d"\ntest_split = "test"\noutput_type = "loglikelihood_rolling"\ndoc_to_target = "page"\n',
    );
    expect(shown(pages, { page: "a b" })).toMatchObject([{ kind: "rolling", prompts: ["a b"] }]);
    expect(taskOf(pages).task.metrics.map(({ name }) => name)).toEqual([
      "word_perplexity",
      "byte_perplexity",
      "bits_per_byte",
    ]);
  });

  it("takes what it includes, its own keys first", () => {
    file(COLOURS, "base.toml");
    const path = file('include = "base.toml"\ntask = "other"\ntarget_delimiter = ""\n');
    expect(taskOf(path).task.name).toBe("other");
    expect(shown(path, row)[0]!.continuations).toEqual(["red", "blue"]);
    const circle = file('include = "circle.toml"\n', "circle.toml");
    expect(() => taskOf(circle)).toThrow(/includes itself/);
  });

  it("keeps a line end at the end of a template", () => {
    const path = file(COLOURS.replace('\\nAnswer:"', '\\n"'));
    expect(shown(path, row)[0]!.prompts).toEqual(["Colours.\n\nQuestion: Sky?\n"]);
  });

  it("knows names that a template binds itself from those that a row must have", () => {
    const loop = file(
      COLOURS.replace(
        "{{ question.strip() }}",
        "{% for one in [first, second] %}{{ loop.index }}{{ one | upper }}{% endfor %}",
      ),
    );
    expect(shown(loop, row)[0]!.prompts[0]).toContain("1RED2BLUE");
    expect(() => shown(file(COLOURS), { first: "a", second: "b", answer: 0 })).toThrow(
      /doc_to_text uses question, which a row does not have/,
    );
  });

  it.each([
    [
      "a key that is none",
      `${COLOURS}doc_to_txt = "a"\n`,
      "INPUT_UNREADABLE",
      /doc_to_txt is no key of a task; did you mean doc_to_text/,
    ],
    ["Python", `${COLOURS}process_docs = "f"\n`, "CONFIG_UNSUPPORTED", /process_docs/],
    ["no choices", COLOURS.replace(/doc_to_choice.*\n/, ""), "INPUT_UNREADABLE", /needs doc_to_choice/],
    [
      "a metric of other output",
      `${COLOURS}metric_list = [{ metric = "perplexity" }]\n`,
      "CONFIG_CONFLICT",
      /perplexity does not go with/,
    ],
    [
      "a broken template",
      COLOURS.replace("{{ question", "{{ question ("),
      "INPUT_UNREADABLE",
      /doc_to_text is no Jinja/,
    ],
    [
      "no split",
      COLOURS.replace(/test_split.*\n/, ""),
      "DATA_INVALID",
      /neither a test nor a validation split/,
    ],
    ["no TOML", "task = ", "INPUT_UNREADABLE", /is no TOML/],
  ])("is refused with %s", (_, text, code, message) => {
    const path = file(text);
    expect(() => taskOf(path)).toThrow(expect.objectContaining({ code }));
    expect(() => taskOf(path)).toThrow(message);
  });

  it("is refused where it is not there", () => {
    expect(() => taskOf(join(folder, "none.toml"))).toThrow(
      expect.objectContaining({ code: "INPUT_UNREADABLE" }),
    );
  });
});

describe("files with the fields of the harness's own", () => {
  const arc = `
task = "my_arc"
tag = ["ai2_arc"]
dataset_path = "allenai/ai2_arc"
dataset_name = "ARC-Easy"
output_type = "multiple_choice"
training_split = "train"
validation_split = "validation"
test_split = "test"
doc_to_text = "Question: {{question}}\\nAnswer:"
doc_to_target = "{{choices.label.index(answerKey)}}"
doc_to_choice = "{{choices.text}}"
should_decontaminate = true
metadata = { version = 1.0 }
[[metric_list]]
metric = "acc"
aggregation = "mean"
higher_is_better = true
[[metric_list]]
metric = "acc_norm"
`;
  const mmlu = `
task = "my_mmlu"
dataset_path = "cais/mmlu"
test_split = "test"
fewshot_split = "dev"
fewshot_config = { sampler = "first_n" }
output_type = "multiple_choice"
description = "The following are multiple choice questions (with answers) about anatomy.\\n\\n"
doc_to_text = "{{question.strip()}}\\nA. {{choices[0]}}\\nB. {{choices[1]}}\\nC. {{choices[2]}}\\nD. {{choices[3]}}\\nAnswer:"
doc_to_choice = ["A", "B", "C", "D"]
doc_to_target = "answer"
`;
  const gsm8k = `
task = "my_gsm8k"
dataset_path = "openai/gsm8k"
training_split = "train"
fewshot_split = "train"
test_split = "test"
output_type = "generate_until"
doc_to_text = "Question: {{question}}\\nAnswer:"
doc_to_target = "{{answer}}"
num_fewshot = 5
generation_kwargs = { until = ["Question:", "</s>", "<|im_end|>"], do_sample = false, temperature = 0.0 }
`;
  const questions = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ question: `q${place}`, answer: `a\n#### ${place}` }));

  it.each([
    ["arc_easy|2", arc, Array.from({ length: 9 }, (_, place) => arcRow(`q${place}`, "ABC"[place % 3]))],
    [
      "mmlu_anatomy|2",
      mmlu,
      Array.from({ length: 4 }, (_, place) => ({
        question: ` q${place}`,
        choices: ["w", "x", "y", "z"],
        answer: place,
      })),
    ],
    ["gsm8k", gsm8k, questions(8)],
  ])("ask what the built-in %s asks", (name, text, rows) => {
    const [, shots = "5"] = name.split("|");
    const own = taskOf(`${file(text)}|${shots}`);
    const builtIn = resolveTask(`harness:${name}`).tasks[0]!;
    const asked = [own, builtIn].map(({ task, shots: count }) =>
      showDocuments(task.documents({ evaluated: rows, pool: rows }, { shots: count })).map(
        ({ gold: _, ...rest }) => rest,
      ),
    );
    expect(asked[0]).toEqual(asked[1]);
  });
});

describe("a task file in YAML", () => {
  const arc = `tag:
  - ai2_arc
task: yaml_arc
dataset_path: allenai/ai2_arc
dataset_name: ARC-Easy
output_type: multiple_choice
training_split: train
validation_split: validation
test_split: test
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_target: "{{choices.label.index(answerKey)}}"
doc_to_choice: "{{choices.text}}"
should_decontaminate: true
doc_to_decontamination_query: "Question: {{question}}\\nAnswer:"
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
`;

  it("is read as it is, and includes others that have no ending", () => {
    file(arc, "_default_template_yaml");
    const path = file("include: _default_template_yaml\ntask: other_arc\n", "other.yaml");
    expect(taskOf(path).task).toMatchObject({ name: "other_arc", version: "1" });
    expect(shown(`${path}|0`, arcRow("Why?"))).toMatchObject([
      { prompts: ["Question: Why?\nAnswer:"], continuations: [" one", " two", " three"], gold: 1 },
    ]);
  });

  it.each([
    [
      "Python",
      `${arc}process_docs: !function utils.process_docs\n`,
      "CONFIG_UNSUPPORTED",
      /!function utils.process_docs/,
    ],
    [
      "values of another kind",
      `${arc.replace(/^(num_fewshot|metric_list):.*\n( .*\n)*/gm, "")}num_fewshot: many\nmetric_list: [{ metric: akk }]\n`,
      "INPUT_UNREADABLE",
      /is no task: num_fewshot = "many": expected an integer of at least 0 or null; metric_list\.0\.metric = "akk": expected one of/,
    ],
    ["broken YAML", "task: [a\n", "INPUT_UNREADABLE", /is no YAML/],
    ["a list", "- a\n", "INPUT_UNREADABLE", /it holds no keys/],
  ])("is refused with %s", (_, text, code, message) => {
    const path = file(text, `refused${files++}.yml`);
    expect(() => taskOf(path)).toThrow(expect.objectContaining({ code }));
    expect(() => taskOf(path)).toThrow(message);
  });
});

describe("defineTask", () => {
  it("makes a task of rows and a question", async () => {
    const task = defineTask({
      name: "capitals",
      description: "Capitals",
      version: "1",
      rows: { test: [{ country: "France", capital: "Paris" }] },
      splits: { test: "test" },
      metrics: [
        meanMetric({
          name: "found",
          score: ({ gold }, { generations }) => Number(generations[0]!.text.includes(String(gold))),
        }),
      ],
      question: (row) => ({
        contexts: [`The capital of ${row.country} is`],
        exampleAnswer: String(row.capital),
        asks: [{ kind: "generate", stop: ["\n"], maxNewTokens: 8 }],
        gold: String(row.capital),
      }),
    });
    const rows = (await task.data.rows!("test"))!;
    const model = new ScriptedLanguageModel({ answer: () => " Paris." });
    const { metrics } = await runTask(task, { evaluated: rows, pool: rows }, model);
    expect(Object.fromEntries(metrics)).toEqual({ found: 1 });
    expect(task.data.rows!("train")).toBeUndefined();
  });
});
