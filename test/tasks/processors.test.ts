import { describe, expect, it } from "vitest";
import {
  createProcessor,
  processors,
  samplingParamsSchema,
  samplingSettings,
} from "../../src/tasks/index.js";
import { judgeRating } from "../../src/tasks/processors/judgeProcessor.js";
import { mmluLetter } from "../../src/tasks/processors/mmluProcessor.js";

const answer = (completion_message: string) => ({
  generation_output: { completion_message, finish: "stop" as const },
});

describe("the mmlu processor", () => {
  const row = { Question: "2 + 2?", A: 3, B: "4", C: "5", D: "6", Answer: "B" };

  it("asks as simple-evals asks", () => {
    expect(createProcessor("mmlu").preprocessSample({ data: row }, 0)).toEqual({
      generation_input: {
        messages: [
          {
            role: "user",
            content:
              "Answer the following multiple choice question and make the answer very simple. The last line of your response should be of the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of ABCD.\n\n2 + 2?\n\nA) 3\nB) 4\nC) 5\nD) 6",
          },
        ],
      },
    });
  });

  it("hands on the letter, what was said, and the row", () => {
    const scored = createProcessor("mmlu").postprocessSample(
      answer("It is four.\nAnswer: **B**"),
      { data: row },
      0,
    );
    expect(scored).toMatchObject({
      generated_answer: "B",
      expected_answer: "B",
      generation_output: { completion_message: "It is four.\nAnswer: **B**" },
      Question: "2 + 2?",
    });
  });

  it("reads letters behind prefixes of many languages, through markup, in any case and script", () => {
    const letters: [string, string][] = [
      ["Answer: $\\boxed{C}$", "C"],
      ["Answer: \\(\\mathrm{D}\\)", "D"],
      ["Answer: b", "B"],
      ["Antwort: A", "A"],
      ["答案：Ｃ", "C"],
      ["উত্তর: ঢ", "D"],
      ["الإجابة: ب", "B"],
      ["I do not know", ""],
      ["", ""],
    ];
    for (const [text, letter] of letters) expect(mmluLetter(text), text).toBe(letter);
  });

  it("goes by the order of the prefixes, not of the text", () => {
    expect(mmluLetter("Antwort: A\nAnswer: C")).toBe("C");
  });

  it("names a column that is missing", () => {
    expect(() => createProcessor("mmlu").preprocessSample({ data: { Question: "q" } }, 3)).toThrowError(
      /A is missing.*columns are Question/,
    );
  });
});

describe("the judge processor", () => {
  const row = { input_query: "q {answer}?", expected_answer: "{x}", generated_answer: "a $& {question}" };

  it("puts a row into the prompt once, braces and all", () => {
    const asked = createProcessor("judge").preprocessSample({ data: row }, 0);
    const { messages } = asked.generation_input as unknown as { messages: { content: string }[] };
    const { content } = messages[0]!;
    expect(content).toContain(
      "Question: q {answer}?\nExpected Answer: {x}\nSystem Answer: a $& {question}\n",
    );
  });

  it("reads a rating from 0 to 5, and nothing else: no reply ends a run", () => {
    expect(judgeRating("Feedback:::\nTotal rating: 4\nbecause")).toBe("4");
    expect(judgeRating("Total rating: 0")).toBe("0");
    expect(judgeRating("Total rating: 6")).toBe("");
    expect(judgeRating("Total rating: 50")).toBe("");
    expect(judgeRating("Total rating: five")).toBe("");
    expect(judgeRating("")).toBe("");
  });
});

describe("the chat processor", () => {
  const asked = (data: Record<string, unknown>, params = {}) =>
    createProcessor("chat", params).preprocessSample({ data }, 0).generation_input;

  it("takes messages before a prompt, and a prompt before a question", () => {
    const messages = [{ role: "user", content: "m" }];
    expect(asked({ messages, completion_input: "p", question: "q" })).toEqual({ messages });
    expect(asked({ completion_input: '"p"', question: "q" })).toEqual({ prompt: "p" });
    expect(asked({ completion_input: '{"content":"p"}' })).toEqual({ prompt: "p" });
    expect(asked({ completion_input: "{p" })).toEqual({ prompt: "{p" });
    expect(asked({ chat_completion_input: "", question: "q" })).toEqual({
      messages: [{ role: "user", content: "q" }],
    });
  });

  it("joins the texts of a message that comes in parts, and refuses other parts", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(asked({ messages: [{ role: "user", content: parts }] })).toEqual({
      messages: [{ role: "user", content: "ab" }],
    });
    const image = [{ type: "image_url", image_url: { url: "x" } }];
    expect(() => asked({ messages: [{ role: "user", content: image }] })).toThrowError(/messages is no list/);
    expect(() => asked({ messages: "hello" })).toThrowError(/no list of messages/);
  });

  it("hands all columns on, the answer before one of that name", () => {
    const data = {
      question: "q",
      answer: "a",
      generated_answer: "old",
      instruction_id_list: ["x"],
      kwargs: [{}],
    };
    expect(createProcessor("chat").postprocessSample(answer("new"), { data }, 0)).toEqual({
      ...data,
      input_query: "q",
      expected_answer: "a",
      generated_answer: "new",
      generation_output: { completion_message: "new" },
    });
  });
});

describe("the template processor", () => {
  it("fills slots once, and leaves all other braces", () => {
    const processor = createProcessor("template", {
      template: 'Q: {{ question }} {"json": {{n}}}',
      system_message: "Speak {{language}}.",
      expected_column: "gold",
    });
    const data = { question: "{{n}}?", n: 4, language: "French", gold: "g" };
    expect(processor.preprocessSample({ data }, 0)).toEqual({
      generation_input: {
        messages: [
          { role: "system", content: "Speak French." },
          { role: "user", content: 'Q: {{n}}? {"json": 4}' },
        ],
      },
    });
    expect(processor.postprocessSample(answer("x"), { data }, 0)).toMatchObject({
      expected_answer: "g",
      generated_answer: "x",
    });
  });

  it("may be gone on from, and names a slot without a column", () => {
    const processor = createProcessor("template", { template: "{{q}} is", form: "completion" });
    expect(processor.preprocessSample({ data: { q: "x" } }, 0)).toEqual({
      generation_input: { prompt: "x is" },
    });
    expect(() => processor.preprocessSample({ data: {} }, 0)).toThrowError(/q is missing/);
    expect(() => createProcessor("template", {})).toThrowError(/template is missing/);
  });
});

describe("processors", () => {
  it("are listed, and refuse one answer too few", () => {
    expect(processors.registeredNames()).toEqual(["chat", "judge", "mmlu", "template"]);
    const processor = createProcessor("chat");
    const samples = [{ data: { question: "a" } }, { data: { question: "b" } }];
    expect(processor.preprocess(samples)).toHaveLength(2);
    expect(() => processor.postprocess([answer("x")], samples)).toThrowError(/1 answers to 2 rows/);
  });
});

describe("sampling params", () => {
  const settings = (params: unknown) => samplingSettings(samplingParamsSchema.parse(params));

  it("are the most likely tokens, 1,024 at most, where nothing is said", () => {
    expect(settings({})).toEqual({
      maxNewTokens: 1024,
      temperature: 0,
      repetitionPenalty: 1,
      stop: [],
      seed: 0,
    });
  });

  it("may be a strategy, which counts before single keys", () => {
    expect(settings({ strategy: { type: "greedy" }, temperature: 2 }).temperature).toBe(0);
    expect(settings({ strategy: { type: "top_p" } })).toMatchObject({ temperature: 1, topP: 0.95 });
    expect(settings({ strategy: { type: "top_k", top_k: 5 } })).toMatchObject({ temperature: 1, topK: 5 });
    expect(settings({ temperature: 0.5, top_p: 0.9, top_k: 3 })).toMatchObject({
      temperature: 0.5,
      topP: 0.9,
      topK: 3,
    });
  });
});
