import { describe, expect, it } from "vitest";
import { PythonRandom } from "../../src/base/index.js";
import { createRowLoader, resolveTask } from "../../src/tasks/index.js";
import { arcRow, choicesOf, documentsOf, piqaRow, promptOf } from "./documents.js";

const COMMON_SENSE = "The following are multiple choice questions (with answers) about common sense.\n";
const hellaswagRow = (ctx_a: string, label: number | string = 1) => ({
  activity_label: "L",
  ctx_a,
  ctx_b: "",
  endings: ["[x] a", "b", "c", "d"],
  label,
});
const mmluRow = (question: string, answer = 0, right = "w") => ({
  question,
  choices: [right, "x", "y", "z"],
  answer,
});

describe("records of lighteval", () => {
  it("HellaSwag: letters to be written, marks left in, four line ends before the question", () => {
    const [document] = documentsOf("hellaswag", [hellaswagRow("[h] A.", "")]);
    expect(document!.requests).toEqual([
      {
        kind: "generate",
        prompts: [`${COMMON_SENSE}\n\n\nQuestion: L: [h] A. \nA. [x] a\nB. b\nC. c\nD. d\nAnswer:`],
        stop: ["\n"],
        maxNewTokens: 1,
      },
    ]);
    expect(document).toMatchObject({ choices: [" A", " B", " C", " D"], gold: -1 });
  });

  it("PIQA: examples answer with a text, those of piqa_hf with a letter", () => {
    const [row, example] = [piqaRow("Sit", 0), piqaRow("Cook", 1)];
    const question = "Question: Sit\nA. Sit so\nB. Sit thus\nAnswer:";
    const shown = "Question: Cook\nA. Cook so\nB. Cook thus\nAnswer:";
    expect(promptOf(documentsOf("piqa|1", [row], [example]))).toBe(
      `${COMMON_SENSE}\n\n${shown} Cook thus\n\n${question}`,
    );
    expect(promptOf(documentsOf("piqa_hf|1", [row], [example]))).toBe(
      `${COMMON_SENSE}\n\n${shown} B\n\n${question}`,
    );
    expect(documentsOf("piqa", [row])[0]!.choices).toEqual(["A", "B"]);
  });

  it("MMLU: two line ends of the instruction, two between parts; classes by the text of the answer", () => {
    const documents = documentsOf("mmlu:anatomy", [mmluRow(" q")]);
    expect(promptOf(documents)).toBe(
      "The following are multiple choice questions (with answers) about anatomy.\n\n\n\nQuestion:  q\nA. w\nB. x\nC. y\nD. z\nAnswer:",
    );
    expect(documents[0]!.requests[0]).toMatchObject({ stop: ["\n"], maxNewTokens: 5 });
  });

  it("MMLU-Pro: the query is its own instruction, of which nothing is left; all letters are choices", () => {
    const row = {
      question: "Q",
      options: ["first", "second, and a long one"],
      answer: "B",
      answer_index: 1,
      category: "law",
    };
    const documents = documentsOf("mmlu_pro", [row]);
    expect(promptOf(documents)).toMatch(
      /LETTER is one of ABCD\..*\n\nQ\n\nA: first\nB: second, and a long one\n\nAnswer:\n\n$/s,
    );
    expect(documents[0]!.choices).toHaveLength(26);
  });

  it("IFEval: two line ends in front of a trimmed prompt", () => {
    expect(promptOf(documentsOf("ifeval", [{ prompt: "  Write. \n" }]))).toBe("\n\nWrite.");
  });

  it("WinoGrande: the option is scored too", () => {
    const row = { sentence: "Ann met Eve as _ came.", option1: "Ann", option2: "Eve", answer: "2" };
    const documents = documentsOf("winogrande", [row]);
    expect(choicesOf(documents)).toEqual({
      kind: "loglikelihood",
      prompts: ["Ann met Eve as "],
      continuations: ["Ann came.", "Eve came."],
    });
    expect(documents[0]!.gold).toBe(1);
    expect(() => documentsOf("winogrande", [{ ...row, sentence: "_ and _" }])).toThrow(/exactly one blank/);
  });

  it("OpenBookQA: gold by letter, whatever the choices are called", () => {
    const row = { question_stem: "S", choices: { text: ["a", "b"], label: ["1", "2"] }, answerKey: " B " };
    expect(documentsOf("openbookqa", [row])[0]!.gold).toBe(1);
  });

  it("BoolQ: one of two question marks is dropped", () => {
    const row = { passage: "P", question: "is it??", answer: "No" };
    const documents = documentsOf("boolq", [row]);
    expect(promptOf(documents)).toBe("Passage: P\nQuestion: is it?\nAnswer:");
    expect(documents[0]).toMatchObject({ choices: [" Yes", " No"], gold: 1 });
  });

  it("SQuAD 2.0: rows without an answer are left out, answers get a capital letter", () => {
    const row = (text: string[]) => ({ context: "in paris ", question: "where? ", answers: { text } });
    const documents = documentsOf("squad_v2", [row([]), row(["paris ", "paris", "the City"])]);
    expect(documents).toHaveLength(1);
    expect(documents[0]).toMatchObject({
      doc: 1,
      choices: [" Paris", " The City"],
      gold: [0, 1],
      requests: [{ prompts: ["In paris\nQuestion: Where?\nAnswer:"], maxNewTokens: 200 }],
    });
  });

  it("TruthfulQA: both lists of choices in one document", () => {
    const row = {
      question: "Q?",
      mc1_targets: { choices: ["t", "f"], labels: [1, 0] },
      mc2_targets: { choices: ["t", "f", "u"], labels: [1, 0, 1] },
    };
    const [document] = documentsOf("truthfulqa:mc", [row]);
    expect(document).toMatchObject({ gold: [0, 2, 4], choices: [" t", " f", " t", " f", " u"] });
    expect(promptOf([document!])).toMatch(/Barcelona, Spain\.\n\nQ: Q\?\nA:$/);
  });
});

describe("which documents lighteval takes", () => {
  const rows = Array.from({ length: 12 }, (_, place) => arcRow(`q${place}`));

  it("shuffles with seed 42 before it cuts", () => {
    const order = new PythonRandom(42).shuffle(rows.map((_, place) => place));
    const docs = (limit?: number) => documentsOf("arc:easy", rows, rows, { limit }).map(({ doc }) => doc);
    expect(docs()).toEqual(order);
    expect(docs(5)).toEqual(order.slice(0, 5));
  });

  it("leaves records out before it shuffles, not after", () => {
    const row = (place: number) => ({
      context: "c",
      question: "q",
      answers: { text: place % 3 === 0 ? [] : ["a"] },
    });
    const kept = [1, 2, 4, 5, 7, 8];
    const documents = documentsOf(
      "squad_v2",
      Array.from({ length: 9 }, (_, place) => row(place)),
    );
    expect(documents.map(({ doc }) => doc)).toEqual(new PythonRandom(42).shuffle([...kept]));
  });
});

it("tells documents of two evaluated splits apart, whose rows both begin at 0 there", async () => {
  const { task } = resolveTask("lighteval:piqa").tasks[0]!;
  expect(task.data.evaluated).toEqual(["validation", "test"]);
  const own = defineRows({ validation: [piqaRow("a"), piqaRow("b")], test: [piqaRow("c")] });
  const loader = await createRowLoader({});
  const { rows } = await loader.load({ ...task, data: { ...task.data, rows: own } }, false);
  const docs = [...task.documents(rows, { shots: 0 })].map(({ doc, row }) => [doc, row.goal]);
  expect(docs.toSorted()).toEqual([
    [0, "a"],
    [1, "b"],
    [2, "c"],
  ]);
});

const defineRows = (splits: Record<string, object[]>) => (split: string) => splits[split] as never;

describe("examples of lighteval", () => {
  it("from train are drawn by the generator that has shuffled the documents", () => {
    const [rows, pool] = [4, 40].map((count) =>
      Array.from({ length: count }, (_, place) => arcRow(`q${place}`)),
    );
    const random = new PythonRandom(42);
    random.shuffle([0, 1, 2, 3]);
    const places = pool!.map((_, place) => place);
    expect(documentsOf("arc:easy|2", rows!, pool).map(({ fewshot }) => fewshot)).toEqual(
      [1, 2, 3, 4].map(() => random.sample(places, 2)),
    );
  });

  it("of WinoGrande are one more than needed, cut: not the same draws", () => {
    const row = (place: number) => ({ sentence: `${place} _ x`, option1: "a", option2: "b", answer: "1" });
    const pool = Array.from({ length: 40 }, (_, place) => row(place));
    const random = new PythonRandom(42);
    random.shuffle([0]);
    const places = pool.map((_, place) => place);
    expect(documentsOf("winogrande|2", [row(0)], pool)[0]!.fewshot).toEqual(
      random.sample(places, 3).slice(0, 2),
    );
  });

  it("when balanced take one of each class in turn, the larger class first, the same for all documents", () => {
    const pool = [0, 1, 1, 0, 1].map((label, place) => piqaRow(`p${place}`, label));
    const documents = documentsOf("piqa_hf|3", [piqaRow("a"), piqaRow("b")], pool);
    // Class B is larger; members come from places 1, 2, 4 and 0, 3 by one generator with seed 0.
    const random = new PythonRandom(0);
    const [b, a] = [
      [1, 2, 4],
      [0, 3],
    ];
    const take = (members: number[]) => members.splice(random.randrange(members.length), 1)[0]!;
    const expected = [take(b), take(a), take(b)];
    expect(documents.map(({ fewshot }) => fewshot)).toEqual([expected, expected]);
  });

  it("when balanced put classes of one size in an order that is shuffled after sorting", () => {
    const pool = ["b", "a", "c", "d"].map((text) => mmluRow(text, 0, text));
    const random = new PythonRandom(0);
    const classes = random.shuffle(["a", "b", "c", "d"]);
    const expected = classes.map((name) => ["b", "a", "c", "d"].indexOf(name)).slice(0, 3);
    expect(documentsOf("mmlu:anatomy|3", [mmluRow("q")], pool)[0]!.fewshot).toEqual(expected);
  });

  it("end where a class has no name", () => {
    const pool = ["", "", "a"].map((text, place) => ({ ...piqaRow(`p${place}`), sol1: text }));
    expect(documentsOf("piqa|2", [piqaRow("q")], pool)[0]!.fewshot).toEqual([]);
  });

  it("may be the document itself where the pool is what is evaluated", () => {
    const rows = [piqaRow("only")];
    expect(documentsOf("piqa_hf|1", rows)[0]!.fewshot).toEqual([0]);
  });

  it("are other ones with another seed", () => {
    const pool = Array.from({ length: 50 }, (_, place) => piqaRow(`p${place}`, place % 2));
    const fewshot = (seed?: number) => documentsOf("piqa_hf|4", [piqaRow("q")], pool, { seed })[0]!.fewshot;
    expect(fewshot(1)).not.toEqual(fewshot());
    expect(fewshot(0)).toEqual(fewshot());
  });
});

describe("chats with lighteval", () => {
  const [row, example] = [mmluRow("q"), mmluRow("dev", 1)];
  const instruction = "The following are multiple choice questions (with answers) about anatomy.\n\n";

  it("have the instruction before what the user says first, and keep the blank of an answer", () => {
    const [document] = documentsOf("mmlu:anatomy|1", [row], [example], { chat: {}, systemPrompt: "S" });
    expect(document!.requests[0]).toEqual({
      kind: "generate",
      prompts: [
        [
          { role: "system", content: "S" },
          { role: "user", content: `${instruction}Question: dev\nA. w\nB. x\nC. y\nD. z\nAnswer:` },
          { role: "assistant", content: " B" },
          { role: "user", content: "Question: q\nA. w\nB. x\nC. y\nD. z\nAnswer:" },
        ],
      ],
      // Behind a chat template only the end token ends an answer.
      stop: [],
      maxNewTokens: 5,
    });
  });

  it("without examples put the instruction before the question", () => {
    expect(promptOf(documentsOf("mmlu:anatomy", [row], [], { chat: {} }))).toEqual([
      { role: "user", content: `${instruction}Question: q\nA. w\nB. x\nC. y\nD. z\nAnswer:` },
    ]);
  });

  it("as plain text put the system prompt first", () => {
    expect(promptOf(documentsOf("arc:easy", [arcRow("q")], [], { systemPrompt: "S" }))).toBe(
      "S\n\nQuestion: q\nAnswer:",
    );
  });
});
