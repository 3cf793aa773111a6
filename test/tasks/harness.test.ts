import { describe, expect, it } from "vitest";
import { PythonRandom } from "../../src/base/index.js";
import { arcRow, choicesOf, documentsOf, piqaRow, promptOf } from "./documents.js";

const rows = (count: number) => Array.from({ length: count }, (_, place) => arcRow(`q${place}`));
const mmluRow = (question: string) => ({
  question,
  choices: ["w", "x", "y", "z"],
  answer: 3,
  subject: "anatomy",
});

describe("questions of the harness", () => {
  it("ARC: a blank stands before each choice, gold is looked up among labels of any kind", () => {
    const row = { question: "Why?", choices: { text: ["a", "b"], label: ["1", "2"] }, answerKey: "2" };
    const [document] = documentsOf("harness:arc_easy", [row]);
    expect(document).toMatchObject({
      doc: 0,
      gold: 1,
      choices: ["a", "b"],
      requests: [
        { kind: "loglikelihood", prompts: ["Question: Why?\nAnswer:"], continuations: [" a", " b"] },
      ],
    });
  });

  it("OpenBookQA: the stem alone, and a key with a blank in front", () => {
    const row = {
      question_stem: "Predators eat",
      choices: { text: ["a", "b"], label: ["A", "B"] },
      answerKey: " B",
    };
    const [document] = documentsOf("harness:openbookqa", [row]);
    expect(document).toMatchObject({ gold: 1, requests: [{ prompts: ["Predators eat"] }] });
  });

  it("HellaSwag: marks go, and an ending that began with one keeps a blank", () => {
    const row = {
      activity_label: "Tying",
      ctx_a: "[header] How to tie [title] Take it.",
      ctx_b: "then She",
      endings: ["[step] Pull   it", "go [a] on", "c", "d"],
      label: "2",
    };
    const documents = documentsOf("harness:hellaswag", [row]);
    expect(choicesOf(documents)).toMatchObject({
      // Two blanks become one in one pass, so that three are two afterwards.
      prompts: ["Tying: How to tie. Take it. Then she"],
      continuations: ["  Pull  it", " go on", " c", " d"],
    });
    expect(documents[0]!.choices[0]).toBe(" Pull  it");
    expect(documents[0]!.gold).toBe(2);
  });

  it("WinoGrande: contexts differ, the end is shared; an example shows the right context", () => {
    const row = (answer: string) => ({
      sentence: "Ann thanked Eve, as _ had helped _.",
      option1: "Ann",
      option2: "Eve",
      answer,
    });
    const documents = documentsOf("harness:winogrande|1", [row("2"), row("1")], [row("2"), row("1")]);
    expect(choicesOf(documents, 1)).toMatchObject({
      prompts: ["Ann", "Eve"].map(
        (name) => `Ann thanked Eve, as Eve had helped _.\n\nAnn thanked Eve, as ${name}`,
      ),
      continuations: [" had helped _."],
    });
    expect(documents[1]!.gold).toBe(0);
  });

  it("BoolQ: no before yes today, yes before no in the first harness", () => {
    const row = { passage: "P", question: "is it", label: 1 };
    expect(choicesOf(documentsOf("harness:boolq", [row])).continuations).toEqual([" no", " yes"]);
    expect(documentsOf("harness:boolq", [row])[0]!.gold).toBe(1);
    expect(choicesOf(documentsOf("harness:boolq@v0", [row])).continuations).toEqual([" yes", " no"]);
    expect(documentsOf("harness:boolq@v0", [row])[0]!.gold).toBe(0);
    expect(promptOf(documentsOf("harness:boolq", [row]))).toBe("P\nQuestion: is it?\nAnswer:");
  });

  it("MMLU: letters behind a description; the first harness scored the texts", () => {
    const documents = documentsOf("harness:mmlu_anatomy|1", [mmluRow(" q ")], [mmluRow("dev")]);
    expect(choicesOf(documents)).toEqual({
      kind: "loglikelihood",
      prompts: [
        "The following are multiple choice questions (with answers) about anatomy.\n\ndev\nA. w\nB. x\nC. y\nD. z\nAnswer: D\n\nq\nA. w\nB. x\nC. y\nD. z\nAnswer:",
      ],
      continuations: [" A", " B", " C", " D"],
    });
    const old = choicesOf(documentsOf("harness:mmlu_anatomy@v0", [mmluRow(" q ")]));
    expect(old.prompts).toEqual(["Question:  q \nChoices:\nA. w\nB. x\nC. y\nD. z\nAnswer:"]);
    expect(old.continuations).toEqual([" w", " x", " y", " z"]);
  });

  it("MMLU-Pro: rows of the category alone, and an example that reasons", () => {
    const row = (category: string, question: string) => ({
      question,
      options: [" a ", "b"],
      answer: "B",
      answer_index: 1,
      cot_content: "A: Let's think step by step. It is b. The answer is (B).",
      category,
    });
    const pool = [row("law", "dev law"), row("math", "dev math")];
    const documents = documentsOf("harness:mmlu_pro_math|1", [row("law", "l"), row("math", "m")], pool);
    expect(documents.map(({ doc, fewshot }) => [doc, fewshot])).toEqual([[1, [1]]]);
    expect(documents[0]!.requests).toEqual([
      {
        kind: "generate",
        prompts: [
          "The following are multiple choice questions (with answers) about math. Think step by step and then finish your answer with \"the answer is (X)\" where X is the correct letter choice.\nQuestion:\ndev math\nOptions:\nA. a\nB. b\nAnswer: Let's think step by step. It is b. The answer is (B).\n\nQuestion:\nm\nOptions:\nA. a\nB. b\nAnswer: Let's think step by step.",
        ],
        stop: ["Question:"],
        maxNewTokens: 2048,
      },
    ]);
  });

  it("LAMBADA: the word brings its blank, and an example shows two", () => {
    const texts = [{ text: "he saw a man" }, { text: "he ate an egg" }];
    const documents = documentsOf("harness:lambada_openai|1", [texts[0]!], [texts[1]!]);
    expect(choicesOf(documents)).toMatchObject({
      prompts: ["he ate an  egg\n\nhe saw a"],
      continuations: [" man"],
    });
    expect(choicesOf(documentsOf("harness:lambada_openai_cloze", texts)).prompts).toEqual([
      "he saw a ____. ->",
    ]);
    expect(choicesOf(documentsOf("harness:lambada_openai@v0", texts)).continuations).toEqual([
      " man",
      " man",
    ]);
  });

  it("GSM8K: whole answers in examples, and stops", () => {
    const row = { question: "How many?", answer: "Two and two.\n#### 4" };
    const [document] = documentsOf("harness:gsm8k|1", [row], [row]);
    expect(document!.requests).toEqual([
      {
        kind: "generate",
        prompts: ["Question: How many?\nAnswer: Two and two.\n#### 4\n\nQuestion: How many?\nAnswer:"],
        stop: ["Question:", "</s>", "<|im_end|>"],
        maxNewTokens: 256,
      },
    ]);
  });

  it("SQuAD 2.0: an answer is generated, and that there is none is scored", () => {
    const row = { title: "T", context: "C", question: "Q?", answers: { text: [], answer_start: [] } };
    const prompt = "Title: T\n\nBackground: C\n\nQuestion: Q?\n\nAnswer:";
    expect(documentsOf("harness:squadv2", [row])[0]!.requests).toEqual([
      { kind: "generate", prompts: [prompt], stop: ["\n"], maxNewTokens: 256 },
      { kind: "loglikelihood", prompts: [prompt], continuations: [" unanswerable"] },
    ]);
    expect(
      promptOf(documentsOf("harness:squadv2|1", [row], [row, { ...row, question: "R?" }], { seed: 0 })),
    ).toMatch(/Answer: {2}unanswerable\n\nTitle: T/);
  });

  it("IFEval: the prompt as it stands, outer white space too", () => {
    const [document] = documentsOf("harness:ifeval", [{ prompt: " Write. \n" }]);
    expect(document!.requests).toEqual([
      { kind: "generate", prompts: [" Write. \n"], stop: [], maxNewTokens: 1280 },
    ]);
  });

  it("says which row does not fit, and what columns it has", () => {
    expect(() => documentsOf("harness:arc_easy", [arcRow("a"), { question: 3 }])).toThrow(
      /Row 1 of the evaluated split does not fit arc_easy: question = 3: expected a string; choices is missing: .*columns are question;/,
    );
  });
});

describe("examples of the harness", () => {
  it("are drawn from one generator that goes on from document to document", () => {
    const pool = rows(30);
    const documents = documentsOf("harness:arc_easy|3", rows(3), pool);
    const random = new PythonRandom(1234);
    const places = pool.map((_, place) => place);
    expect(documents.map(({ fewshot }) => fewshot)).toEqual([1, 2, 3].map(() => random.sample(places, 3)));
  });

  it("leave a document out that equals it where no splits are named, and draw one more for it", () => {
    const pool = [0, 1, 2].map((label) => piqaRow("same", label % 2));
    const documents = documentsOf("harness:piqa|2", [piqaRow("same", 1)], pool);
    expect(documents[0]!.fewshot.toSorted()).toEqual([0, 2]);
  });

  it("are the first rows for MMLU", () => {
    const pool = ["a", "b", "c"].map(mmluRow);
    expect(documentsOf("harness:mmlu_anatomy|2", [mmluRow("q")], pool)[0]!.fewshot).toEqual([0, 1]);
  });

  it("are refused where the pool is too small", () => {
    expect(() => documentsOf("harness:arc_easy|3", rows(1), rows(2))).toThrow(
      expect.objectContaining({ code: "DATA_INVALID" }),
    );
  });
});

describe("which documents", () => {
  it("are the first of the data, and of a share as many as it rounds up to", () => {
    const docs = (limit: number) =>
      documentsOf("harness:arc_easy", rows(7), rows(7), { limit }).map(({ doc }) => doc);
    expect(docs(2)).toEqual([0, 1]);
    expect(docs(0.3)).toEqual([0, 1, 2]);
    expect(docs(100)).toHaveLength(7);
  });

  it("are shuffled before the limit in the first harness, whose examples the same generator draws", () => {
    const documents = documentsOf("harness:arc_easy@v0|2", rows(9), rows(30), { limit: 2 });
    const random = new PythonRandom(42);
    const order = random.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(documents.map(({ doc }) => doc)).toEqual(order.slice(0, 2));
    const places = rows(30).map((_, place) => place);
    expect(documents.map(({ fewshot }) => fewshot)).toEqual([
      random.sample(places, 2),
      random.sample(places, 2),
    ]);
  });
});

describe("chats with the harness", () => {
  const pool = [mmluRow("dev")];
  const chat = (form: object, systemPrompt?: string) => {
    const [document] = documentsOf("harness:mmlu_anatomy|1", [mmluRow("q")], pool, {
      chat: form,
      systemPrompt,
    });
    return document!.requests[0]!;
  };
  const description = "The following are multiple choice questions (with answers) about anatomy.\n\n";

  it("have turns for examples, and no blank before a choice", () => {
    expect(chat({}, "Be brief.")).toEqual({
      kind: "loglikelihood",
      prompts: [
        [
          { role: "system", content: `Be brief.\n\n${description}` },
          { role: "user", content: "dev\nA. w\nB. x\nC. y\nD. z\nAnswer:" },
          { role: "assistant", content: "D" },
          { role: "user", content: "q\nA. w\nB. x\nC. y\nD. z\nAnswer:" },
        ],
      ],
      continuations: ["A", "B", "C", "D"],
    });
  });

  it("are one turn of the user otherwise, with the delimiters of plain text", () => {
    expect(chat({ fewshotAsTurns: false }).prompts[0]).toEqual([
      { role: "system", content: description },
      {
        role: "user",
        content: "dev\nA. w\nB. x\nC. y\nD. z\nAnswer: D\n\nq\nA. w\nB. x\nC. y\nD. z\nAnswer:",
      },
    ]);
  });

  it("put nothing between system prompt and description where white space is at the seam", () => {
    expect(chat({}, "Be brief.\n").prompts[0]).toEqual(
      expect.arrayContaining([{ role: "system", content: `Be brief.\n${description}` }]),
    );
  });
});
