import { describe, expect, it } from "vitest";
import { documentAnswer } from "../../src/scoring/basic/docvqa.js";
import { finalAnswer, firstAnswer, threeDigits } from "../../src/scoring/basic/mathAnswer.js";
import { FINAL_ANSWER } from "../../src/scoring/basic/mathTables.js";
import { scorers } from "../../src/scoring/index.js";
import { pythonPattern } from "../../src/scoring/python/index.js";
import { scored } from "./scored.js";
import { scorerSuite } from "./suites/scorerSuite.js";

const row = (generated_answer: unknown, expected_answer: unknown) => ({ generated_answer, expected_answer });
/** The five rows of Llama Stack's integration test, shortened. */
const FIXTURE = [
  row("London", "Paris"),
  row("Mark Zuckerberg", "Mark Zuckerberg"),
  row("Jupiter", "Jupiter"),
  row("China", "Vatican City"),
  row("Yen", "Yen"),
];

const good = [row("Answer: B", "B"), row("Answer: A", "B"), row("The best answer is C", "C")];
for (const name of ["basic::subset_of", "basic::regex_parser_multiple_choice_answer", "multiple_choice"]) {
  scorerSuite(name, () => ({ scorer: scorers.lookup(name), good, bad: [row(null, "B"), row("a", 3)] }));
}
scorerSuite("accuracy", () => ({
  scorer: scorers.lookup("accuracy"),
  good: [row("a", "a"), row("", ""), row("b", ["a", "b"])],
  bad: [row(null, "B"), row("a", []), row("a", 3)],
}));
scorerSuite("basic::equality", () => ({
  scorer: scorers.lookup("basic::equality"),
  good: [row("a", "a"), row(1, "1"), row([1], [1])],
  bad: [{ generated_answer: "a" }, { expected_answer: "a" }],
}));
scorerSuite("basic::regex_parser_math_response", () => ({
  scorer: scorers.lookup("basic::regex_parser_math_response"),
  good: [row("\\boxed{3}", "3"), row("\\boxed{4}", "3"), row("3", "3")],
  bad: [row(null, "B"), row("a", 3)],
}));
scorerSuite("symbolic_math", () => ({
  scorer: scorers.lookup("symbolic_math"),
  good: [row("\\boxed{3}", "3"), row("\\boxed{4}", "3"), row("3", ["2", "3"])],
  bad: [row(null, "B"), row("a", 3)],
}));
scorerSuite("basic::docvqa", () => ({
  scorer: scorers.lookup("basic::docvqa"),
  good: [row("a b", '["a b"]'), row("c", ["a b"]), row("b", '["a b", "c"]')],
  bad: [row(null, '["a"]'), row("a", "a"), row("a", '"a"')],
}));

it.each(["basic::equality", "basic::subset_of"])(
  "%s gives the accuracy of the acceptance fixture",
  async (name) => {
    const { metrics, aggregated } = await scored(name, FIXTURE);
    expect(metrics).toMatchObject({ accuracy: 0.6, num_correct: 3, num_total: 5 });
    expect(aggregated).toMatchObject({ accuracy: { accuracy: 0.6, num_correct: 3, num_total: 5 } });
  },
);

it("basic::equality minds kinds and blanks", async () => {
  const rows = [row("1", 1), row("a ", "a"), row(null, null), row(["a"], ["a"])];
  expect((await scored("basic::equality", rows)).scores).toEqual([0, 0, 1, 1]);
});

it("params of one call do not change the next one's result, nor those of one under way", async () => {
  const name = "basic::regex_parser_multiple_choice_answer";
  const rows = [row("Choice: b", "b")];
  const own = { parsing_regexes: ["Choice: (.)"], aggregation_functions: ["average"] };
  const [changed, plain] = await Promise.all([scored(name, rows, own), scored(name, rows)]);
  const after = await scored(name, rows);
  expect([changed.scores, plain.scores, after.scores]).toEqual([[1], [0], [0]]);
  expect(Object.keys(changed.metrics!)).toEqual(["average", "average_stderr"]);
  expect(after.metrics).toEqual(plain.metrics);
});

it.each([
  [["(?:a)".repeat(10_000)], "20,000 characters"],
  [Array.from({ length: 30 }, () => "a".repeat(700)), "20,000 characters"],
  [["\\b".repeat(2001)], "2,000 of \\\\b"],
])("patterns that take long to read are refused (%#)", async (patterns, most) => {
  const asked = scored("basic::regex_parser_multiple_choice_answer", [row("a", "a")], {
    parsing_regexes: patterns,
  });
  await expect(asked).rejects.toThrow(new RegExp(`expected at most ${most}.* in all regular expressions`));
});

describe("letters of multiple choice", () => {
  const letter = async (name: string, text: string, more: object = {}) =>
    (await scored(name, [{ ...row(text, "A"), ...more }])).results[0]!.metadata!.parsed;

  it.each<[text: string, original: string | null, better: string | null]>([
    ["Answer: **B**", null, "B"],
    ["Answer: b", "b", "B"],
    ["The best answer is definitely C", "d", "C"],
    ["Answer: cannot say. Answer: B", "c", "B"],
    ["The best answer is B.", "B", "B"],
    ["Answer: A", "A", "A"],
    ["答案：Ｃ", "Ｃ", "C"],
    ["الإجابة: ب", "ب", "B"],
    ["উত্তর: ড", "ড", "C"],
    ["Réponse : d", "d", "D"],
    ["I would say (D) since A is wrong.", null, "D"],
    ["\\boxed{\\text{B}}", null, "B"],
    ["**C.** Because it floats.", null, "C"],
    ["C", null, "C"],
    ["A good question deserves an answer. I think so.", null, null],
    ["It is a matter of taste.", null, null],
    ["First B seems right, but the answer is C.", null, "C"],
    ["B is the correct answer, as D is too small.", null, "B"],
    ["D) all of them\n", null, "D"],
    ["", null, null],
  ])("%s", async (text, original, better) => {
    expect(await letter("basic::regex_parser_multiple_choice_answer", text)).toBe(original);
    expect(await letter("multiple_choice", text)).toBe(better);
  });

  it("go as far as the row has options", async () => {
    expect(await letter("multiple_choice", "Answer: G")).toBeNull();
    expect(await letter("multiple_choice", "Answer: G", { options: [..."abcdefgh"] })).toBe("G");
    expect(await letter("multiple_choice", "Answer: G", { choices: JSON.stringify([..."abcdefgh"]) })).toBe(
      "G",
    );
  });

  it("expected ones must be options", async () => {
    const { results } = await scored("multiple_choice", [row("A", "E"), row("A", "yes"), row("A", "(a)")]);
    expect(results).toMatchObject([
      { score: null, error: expect.stringMatching(/expected a letter from A to D/) },
      { score: null },
      { score: 1 },
    ]);
  });
});

describe("final answers in mathematics", () => {
  const pattern = pythonPattern(FINAL_ANSWER);
  it.each([
    ["So the final answer is: $\\boxed{\\frac12}$.", "5.00e-01"],
    ["the final answer is: $\\boxed{0.5}$", "5.00e-01"],
    ["thus \\boxed{1,000}", "1000"],
    ["no box 42", "no box 42"],
    ["final answer is $\\boxed{x=3}$", "3"],
    ["\\boxed{(A)}", "A"],
    ["final answer is: $\\boxed{12\\text{ cm}}$", "12"],
    ["final answer is: $\\boxed{3/4}$", "7.50e-01"],
    ["final answer is: $\\boxed{\\dfrac{3}{4}}$", "7.50e-01"],
    ["final answer is: $\\boxed{\\sqrt2}$", "\\sqrt{2}"],
    ["\\boxed 7$ is it", "7"],
    ["\\boxed{{5}}", "5"],
    ["\\boxed{\\frac{1}{0}}", "\\frac{1}{0}"],
    ["\\boxed{x \\leq 2}", "xq2"],
  ])("%s is %s", (text, answer) => {
    expect(finalAnswer(firstAnswer(text), pattern)).toBe(answer);
  });

  it("end where another question begins", async () => {
    const rows = [row("\\boxed{3} Q: What is 2 + 2? A: \\boxed{4}", "3"), row("A: \\boxed{3}", "3")];
    expect((await scored("basic::regex_parser_math_response", rows)).scores).toEqual([1, 0]);
  });

  it.each([
    [0.5, "5.00e-01"],
    [1.125, "1.12e+00"],
    [1.375, "1.38e+00"],
    [1234567, "1.23e+06"],
    [-2e-120, "-2.00e-120"],
    [0, "0.00e+00"],
  ])("%d has three digits as Python writes them", (value, text) => {
    expect(threeDigits(value)).toBe(text);
  });

  it.each([
    ["The answer is $\\boxed{\\frac{2}{4}}$.", "0.5", 1],
    ["\\boxed{(x+1)^2}", "x^2+2x+1", 1],
    ["\\boxed{1004}", "1001", 0],
    ["\\boxed{x \\leq 2}", "x \\le 2", 1],
    ["So the answer is 42.", "42", 1],
    ["They have 3 + 4 = 7 apples,\nso 1,007 in all", "1007", 1],
    ["\\{1, 2\\}", "\\boxed{\\{2, 1\\}}", 1],
  ])("%s is %s as mathematics: %d", async (text, expected, score) => {
    expect((await scored("symbolic_math", [row(text, expected)])).scores).toEqual([score]);
  });
});

describe("answers about documents", () => {
  it.each([
    ["$1,000.50", "$1000.50"],
    ["U.S.A.", "usa"],
    ["The 3rd place", "third place"],
    ["ten to one", "10 1"],
    ["12/31/2020", "12 31 2020"],
    ["it's a no-go, ok?", "it's no go ok"],
    ["A.", ""],
    ["3.5 mg.", "3.5 mg"],
  ])("%s becomes %s", (text, plain) => {
    expect(documentAnswer(text)).toBe(plain);
  });
});

it("basic::docvqa takes answers of small words alone for equal, as the original, whatever was judged before", async () => {
  const rows = [row("none", '["0"]'), row("A.", '["The"]'), row("don't", '["dont"]'), row("none", '["0"]')];
  const there = (await scored("basic::docvqa", rows)).scores;
  const back = (await scored("basic::docvqa", rows.toReversed())).scores;
  expect(there).toEqual([1, 1, 1, 1]);
  expect(back.toReversed()).toEqual(there);
});

describe("basic::ifeval", () => {
  const ifeval = (generated_answer: string, id: string, kwargs: object = {}) => ({
    prompt: "p",
    instruction_id_list: [id],
    kwargs: [kwargs],
    generated_answer,
  });

  it("weighs rows by their instructions; one without any scores 0 and weighs nothing", async () => {
    const rows = [
      {
        generated_answer: " a, [b] ",
        instruction_id_list: [
          "punctuation:no_comma",
          "startend:end_checker",
          "detectable_content:number_placeholders",
        ],
        kwargs: [null, { end_phrase: "[b]", keyword: null }, { num_placeholders: 1 }],
      },
      { generated_answer: "a", instruction_id_list: [], kwargs: [] },
      ifeval(" ", "punctuation:no_comma"),
    ];
    const { results, metrics } = await scored("basic::ifeval", rows);
    expect(results).toMatchObject([
      { score: 2 / 3, weight: 3 },
      { score: 0, weight: 0 },
      { score: 0, weight: 1 },
    ]);
    expect(metrics?.weighted_average).toBeCloseTo(0.5, 12);
  });

  it("counts words, sentences and quotation marks in the language of the answer", async () => {
    const words = (text: string, num_words: number) =>
      ifeval(text, "length_constraints:number_words", { num_words, relation: "at least" });
    const sentences = (text: string, num_sentences: number) =>
      ifeval(text, "length_constraints:number_sentences", { num_sentences, relation: "at least" });
    const japanese = "こんにちは、ジェイソンさん、Jason? Nice to meet you☺ ❤";
    const { scores } = await scored("basic::ifeval", [
      words(japanese, 19),
      words(japanese, 20),
      words("It's one word-pair here", 6),
      words("It's one word-pair here", 7),
      sentences("これは文です。これも文です！最後の文です", 3),
      sentences("これは文です。これも文です！最後の文です", 4),
      ifeval("「これは日本語の文章です。」", "startend:quotation"),
      ifeval("«Это предложение на русском языке»", "startend:quotation"),
      ifeval("«This is an English sentence, is it not?»", "startend:quotation"),
    ]);
    expect(scores).toEqual([1, 0, 1, 0, 1, 0, 1, 1, 0]);
  });
});

it("the random scorer draws by seed and row, not by order", async () => {
  const rows = [{}, {}, {}];
  const one = await scored("random", rows);
  expect((await scored("random", rows)).scores).toEqual(one.scores);
  expect((await scored("random", rows, { seed: 1 })).scores).not.toEqual(one.scores);
  expect(one.metrics).toEqual({
    avg_random: expect.closeTo(one.scores.reduce((sum: number, score) => sum + score!, 0) / 3, 12),
    max_random: Math.max(...(one.scores as number[])),
  });
});

it("accuracy takes an empty answer as wrong, whatever is expected", async () => {
  const { scores, metrics } = await scored("accuracy", [row("", ""), row("a", ["b", "a"])]);
  expect(scores).toEqual([0, 1]);
  expect(metrics).toMatchObject({ avg_accuracy: 0.5, num_correct: 1, num_total: 2 });
});
