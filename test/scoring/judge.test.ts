import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AskJudge, filledTemplate, scorers } from "../../src/scoring/index.js";
import { verdictIn } from "../../src/scoring/judge/verdict.js";
import { modelJudges } from "../../src/tasks/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { scored } from "./scored.js";
import { modelServer } from "./suites/modelServer.js";
import { gathered, scorerSuite } from "./suites/scorerSuite.js";

const row = (generated_answer: unknown, input_query = "Who?", expected_answer: unknown = "Ada") => ({
  input_query,
  expected_answer,
  generated_answer,
});
const saying =
  (...answers: string[]): AskJudge =>
  async (_messages, { seed }) => ({
    text: answers[Math.min(seed, answers.length - 1)]!,
    inputTokens: 5,
    outputTokens: 1,
  });
const RATING = {
  prompt_template: "{input_query} {expected_answer} {generated_answer}",
  judge_score_regexes: ["\\[\\[(\\d+\\.?\\d*)\\]\\]", "\\[(\\d+\\.?\\d*)\\]"],
  range: [0, 1],
};

scorerSuite("llm-as-judge::base", () => ({
  scorer: scorers.lookup("llm-as-judge::base"),
  params: {
    ...RATING,
    judge_model: async (messages: { content: string }[]) => ({
      text: messages[0]!.content.endsWith("Ada") ? "[[1.0]]" : "[[0.0]]",
    }),
  },
  good: [row("Ada"), row("Bob"), row("Ada Ada")],
  bad: [row(null), row(undefined)],
}));

describe("a judge's prompt", () => {
  it("takes columns in, once, and leaves every other brace alone", () => {
    const template = 'Q: {question} A: {answer} {note} {"a": {"b": {unknown}}} {{answer}} {} {0}';
    const filled = filledTemplate(template, {
      ...row("{expected_answer} $& {note}"),
      note: ["x", "{answer}"],
    });
    expect(filled).toBe(
      'Q: Who? A: {expected_answer} $& {note} x\n{answer} {"a": {"b": {unknown}}} {answer} {} {0}',
    );
  });

  it("never reads what was put in", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (query, answer) => {
        const filled = filledTemplate("<{input_query}|{generated_answer}>", row(answer, query));
        expect(filled).toBe(`<${query}|${answer}>`);
      }),
    );
  });

  it("may have a system's turn before it", async () => {
    const seen: unknown[] = [];
    const judge_model: AskJudge = async (messages) => {
      seen.push(messages);
      return { text: "[1]" };
    };
    await scored("llm-as-judge::base", [row("a")], {
      ...RATING,
      judge_model,
      system_prompt: "Judge {answer}.",
    });
    expect(seen).toEqual([
      [
        { role: "system", content: "Judge a." },
        { role: "user", content: "Who? Ada a" },
      ],
    ]);
  });
});

describe("a verdict", () => {
  const rules = { patterns: [/\[\[(.+?)\]\]/g, /\[(.+?)\]/g] };
  it.each([
    ["[[0.7]]", { range: [0, 1] }, { score: 0.7 }],
    ["[0.3] or so", { range: [0, 1] }, { score: 0.3 }],
    ["[[7]] but [0.5]", { range: [0, 1] }, { unparsed: "7 is not from 0 to 1" }],
    ["nothing", {}, { unparsed: "it matches none of 2 pattern(s)" }],
    ["[[yes]]", {}, { score: null, category: "yes" }],
    ["[[YES]]", { categories: { yes: 1, no: 0 } }, { score: 1, category: "yes" }],
    ["[[y]]", { categories: { yes: 1, no: 0 }, aliases: { Y: "yes" } }, { score: 1, category: "yes" }],
    ["[[perhaps]]", { categories: { yes: 1, no: 0 } }, { unparsed: '"perhaps" is none of yes, no' }],
    ["[[toString]]", { categories: { yes: 1 } }, { unparsed: '"toString" is none of yes' }],
    ["[[skip]]", { categories: { skip: null } }, { score: null, category: "skip" }],
  ] as const)("%s by %o is %o", (text, more, verdict) => {
    expect(verdictIn(text, { ...rules, ...(more as object) })).toEqual(verdict);
  });

  it.each([
    ["A", "A", 1],
    ["B.", "B", 0],
    ["C: NOT_ATTEMPTED", "C", 0],
    ["CORRECT", "A", 1],
    ["INCORRECT", "B", 0],
    ["The answer is not attempted.", "C", 0],
    ["A good try.", undefined, null],
  ])("%s of SimpleQA's grader is %s", async (text, category, score) => {
    const { results } = await scored("llm-as-judge::405b-simpleqa", [row("x")], {
      judge_model: saying(text),
    });
    expect(results[0]).toMatchObject({
      score,
      ...(category === undefined ? { unjudged: true } : { category }),
    });
  });

  it.each([
    ["Feedback:::\nTotal rating: 4", 4],
    ["Total rating: **5**", 5],
    ["3", 3],
    ["Total rating: 7", null],
    ["no idea", null],
  ])("%j of the five-point judge is %d", async (text, score) => {
    const { results, metrics } = await scored("llamastack-llm-judge", [row("x")], {
      judge_model: saying(text),
    });
    expect(results[0]!.score).toBe(score);
    expect(metrics).toMatchObject({ avg_judge_score: score, num_unjudged: Number(score === null) });
  });
});

describe("a judge behind a server", () => {
  const answers: Record<string, string> = {
    double: "[[1]]",
    single: "so: [0.5]",
    beyond: "[[7]]",
    missing: "I cannot say",
  };

  it("is asked by the protocol; what fails for good is unjudged, counted, and never drawn", async () => {
    const failures = new Map<string, number>();
    const { url, requests } = await modelServer(({ body }) => {
      const answer = body.messages![0]!.content.split(" ").at(-1)!;
      if (answer === "broken") return { status: 400 };
      const failed = failures.get(answer) ?? 0;
      failures.set(answer, failed + 1);
      if (answer === "limited" && failed === 0) return { status: 429, headers: { "retry-after": "0" } };
      return answers[answer] ?? "[[0]]";
    });
    const rows = ["double", "single", "beyond", "missing", "limited", "broken"].map((text) => row(text));
    const judge_model = { url, model: "judge", first_pause: 1 };
    const { results, metrics, details } = await scored(
      "llm-as-judge::base",
      rows,
      { ...RATING, judge_model, price: { input: 2, output: 10 } },
      { judges: modelJudges() },
    );
    expect(results).toMatchObject([
      { score: 1, feedback: "[[1]]" },
      { score: 0.5, feedback: "so: [0.5]" },
      { score: null, unjudged: true, error: expect.stringMatching(/7 is not from 0 to 1/) },
      {
        score: null,
        unjudged: true,
        feedback: "I cannot say",
        error: expect.stringMatching(/has no verdict/),
      },
      { score: 0 },
      { score: null, unjudged: true, error: expect.stringMatching(/The judge gave no answer: .*400/) },
    ]);
    expect(metrics).toMatchObject({ average: 0.5, num_judged: 3, num_unjudged: 3 });
    expect(details?.judge).toEqual({
      calls: 5,
      kept: 0,
      failed: 1,
      input_tokens: 50,
      output_tokens: 10,
      cost: expect.closeTo((50 * 2 + 10 * 10) / 1e6, 15),
    });
    expect(requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      body: { model: "judge", temperature: 0, max_tokens: 1024 },
    });
  });

  it("is asked once for equal rows, and not again for what a folder keeps", async () => {
    const { url, requests } = await modelServer(() => "[[1]]");
    const surroundings = { judges: modelJudges({ folder: temporaryFolder("judge") }) };
    const rows = [row("a"), row("b"), row("a")];
    const params = { ...RATING, judge_model: `${url}#judge` };
    const first = await scored("llm-as-judge::base", rows, params, surroundings);
    expect(requests).toHaveLength(2);
    expect(first.details?.judge).toMatchObject({ calls: 2, kept: 1 });
    const second = await scored("llm-as-judge::base", rows, params, surroundings);
    expect(requests).toHaveLength(2);
    expect(second.details?.judge).toMatchObject({ calls: 0, kept: 3, input_tokens: 0 });
    expect(second.results).toEqual(first.results);
    await scored("llm-as-judge::base", rows, { ...params, max_tokens: 5 }, surroundings);
    expect(requests).toHaveLength(4);
  });

  it("stops with the signal, requests under way too", async () => {
    const stop = new AbortController();
    const { url } = await modelServer(() => {
      setTimeout(() => stop.abort(new Error("enough")), 5);
      return { status: 429, headers: { "retry-after": "30" } };
    });
    const scoring = scorers
      .lookup("llm-as-judge::base")
      .score([row("a")], { ...RATING, judge_model: `${url}#judge` }, stop.signal, { judges: modelJudges() });
    await expect(gathered(scoring.rows)).rejects.toThrow("enough");
  });
});

it("an answer without a verdict is asked for again, with another seed, as often as wanted", async () => {
  const params = { ...RATING, judge_model: saying("?", "??", "[[1]]") };
  expect((await scored("llm-as-judge::base", [row("a")], { ...params, attempts: 2 })).scores).toEqual([null]);
  const { scores, details } = await scored("llm-as-judge::base", [row("a")], { ...params, attempts: 3 });
  expect([scores, details?.judge]).toMatchObject([[1], { calls: 3, input_tokens: 15 }]);
});

it("rows are judged several at a time, in the order of the input", async () => {
  let [running, most] = [0, 0];
  const judge_model: AskJudge = async (messages) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 3));
    running--;
    return { text: `[[0.${messages[0]!.content.at(-1)}]]` };
  };
  const rows = Array.from({ length: 9 }, (_, place) => row(String(place + 1)));
  const { scores } = await scored("llm-as-judge::base", rows, { ...RATING, judge_model, concurrency: 3 });
  expect(scores).toEqual(rows.map((_, place) => (place + 1) / 10));
  expect(most).toBe(3);
});

it("params that name no model, or patterns that are none, are refused before the first row", () => {
  const judge = scorers.lookup("llm-as-judge::base");
  expect(() => judge.score([], RATING)).toThrow(/judge_model is missing/);
  expect(() => judge.score([], { ...RATING, judge_model: "x" })).toThrow(
    /nothing was given that opens references/,
  );
  const params = { judge_model: saying(""), prompt_template: "{answer}" };
  expect(() => judge.score([], params)).toThrow(/judge_score_regexes is missing/);
  expect(() => judge.score([], { ...params, judge_score_regexes: ["("] })).toThrow(/no regular expression/);
  expect(() => judge.score([], { ...params, judge_score_regexes: [] })).toThrow(/at least one/);
});

it("a reference that names no model ends the scoring", async () => {
  for (const judge_model of ["http://127.0.0.1:1/v1", { url: "file:///etc/passwd", model: "a" }]) {
    const scoring = scored(
      "llm-as-judge::base",
      [row("a")],
      { ...RATING, judge_model },
      { judges: modelJudges() },
    );
    await expect(scoring).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  }
});
