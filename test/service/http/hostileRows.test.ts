import { describe, expect, it } from "vitest";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { type Asked, testService } from "../support/testService.js";

/** Two to the power of its length are the ways to try it with `(a+)+$`. */
const ENDLESS = `${"a".repeat(40)}!`;
const PATTERN = "Answer: ((a+)+)$";

const judge = new ScriptedLanguageModel({
  name: "judge",
  answer: ({ prompt }) => `Answer: ${(prompt as readonly { content: string }[])[0]!.content}`,
});
const { ask } = await testService({
  models: { judge },
  set: ["row_deadline=1", "max_row_characters=3000", "scoring_threads=1"],
});
const score = (scoring_functions: object, input_rows: readonly object[]) =>
  ask("POST", "/v1/scoring/score", { input_rows, scoring_functions });

/** What a request comes to, and whether the service answered another one before. */
async function beside(asked: Promise<Asked>) {
  let done = false;
  void asked.then(() => {
    done = true;
  });
  const { status } = await ask("GET", "/healthz");
  expect([status, done]).toEqual([200, false]);
  return await asked;
}

const row = (answer: string) => ({ generated_answer: `Answer: ${answer}`, expected_answer: "aaa" });
const judgeParams = {
  type: "llm_as_judge",
  judge_model: "judge",
  prompt_template: "{generated_answer}",
  judge_score_regexes: [PATTERN],
};

describe("a row that is tried without end", () => {
  it("is an error of its own, and the others are judged in their order", async () => {
    const params = { type: "regex_parser", parsing_regexes: [PATTERN] };
    const scorer = "basic::regex_parser_multiple_choice_answer";
    const { status, json } = await beside(
      score({ [scorer]: params }, [row("aaa"), row(ENDLESS), row("aa"), row("aaa")]),
    );
    expect(status).toBe(200);
    const { score_rows: rows, aggregated_results: figures } = json.results[scorer];
    expect(rows.map((one: { score: unknown }) => one.score)).toEqual([1, null, 0, 1]);
    expect(rows[1]).toMatchObject({
      error_code: "ROW_TIMEOUT",
      error: expect.stringContaining("1 s (service.row_deadline)"),
    });
    expect(figures.accuracy).toMatchObject({ num_correct: 2, num_total: 3 });
  });

  it("may be the answer of a judge, and is unjudged then", async () => {
    const rows = ["aaa", ENDLESS, "aa"].map((generated_answer) => ({ generated_answer }));
    const { json } = await beside(score({ "llm-as-judge::base": judgeParams }, rows));
    const { score_rows: found } = json.results["llm-as-judge::base"];
    expect(found.map((one: { score: unknown }) => one.score)).toEqual(["aaa", null, "aa"]);
    expect(found[1]).toMatchObject({ unjudged: true, error_code: "ROW_TIMEOUT" });
  });

  it("fails no job either, which judges the other rows", async () => {
    const rows = [row("aaa"), row(ENDLESS), row("aaa")];
    await ask("POST", "/v1/datasets", {
      dataset_id: "endless",
      purpose: "eval/question-answer",
      source: { type: "rows", rows },
    });
    await ask("POST", "/v1/scoring-functions", {
      scoring_fn_id: "tries",
      description: "tries",
      return_type: { type: "number" },
      params: { type: "regex_parser", parsing_regexes: [PATTERN] },
    });
    const { json } = await beside(
      ask("POST", "/evals/run_scorer", {
        dataset_config: { dataset_identifier: "endless" },
        eval_scoring_config: { scorer_config_list: [{ scorer_name: "tries" }] },
      }),
    );
    expect(json.eval_result.metrics).toMatchObject({ "tries:num_correct": 2, "tries:num_total": 2 });
  });
});

describe("texts that are too long", () => {
  it("are not judged, and the limit is named", async () => {
    const long = { generated_answer: "b".repeat(3000), expected_answer: "b" };
    const { json } = await score({ levenshtein: null }, [row("aaa"), long]);
    const { score_rows: rows } = json.results.levenshtein;
    expect(rows[0].score).toEqual(expect.any(Number));
    expect(rows[1]).toMatchObject({
      score: null,
      error_code: "ROW_TOO_LARGE",
      error: expect.stringContaining("3000 characters (service.max_row_characters)"),
    });
  });

  it("may be a judge's answer too", async () => {
    const { json } = await score({ "llm-as-judge::base": judgeParams }, [
      { generated_answer: "a".repeat(2995) },
    ]);
    expect(json.results["llm-as-judge::base"].score_rows[0]).toMatchObject({
      unjudged: true,
      error_code: "ROW_TOO_LARGE",
    });
  });
});

it("an interval over many draws holds nobody up", async () => {
  const rows = Array.from({ length: 400 }, (_, place) => row("a".repeat(1 + (place % 5))));
  const params = { bootstrap: 20_000, bootstrap_seed: 3, parser: "last_line" };
  const { json } = await beside(score({ exact_match: params }, rows));
  const { accuracy } = json.results.exact_match.aggregated_results;
  expect(accuracy.accuracy_ci_low).toEqual(expect.any(Number));
  expect(accuracy.accuracy_ci_low).toBeLessThanOrEqual(accuracy.accuracy);
});

it("patterns as long as books are refused", async () => {
  const { status, json } = await score(
    { "basic::regex_parser_multiple_choice_answer": { parsing_regexes: ["a".repeat(10_001)] } },
    [row("a")],
  );
  expect(status).toBe(400);
  expect(json.error.message).toContain("at most 10,000 characters");
});

it("bodies of lists in lists without end are refused before they are read", async () => {
  const nested = (levels: number) => `{"input_rows":[${"[".repeat(levels)}${"]".repeat(levels)}]}`;
  const send = (body: string) =>
    ask("POST", "/v1/scoring/score", body, { headers: { "content-type": "application/json" } });
  const { status, json } = await send(nested(200_000));
  expect([status, json.error.code]).toEqual([400, "REQUEST_INVALID"]);
  expect(json.error.message).toContain("more than 500 deep");
  // Brackets in texts are text, also behind a quote that is escaped.
  const text = `"\\\\\\"${"[".repeat(1000)}"`;
  expect((await send(`{"input_rows":[{"a":${text}}]}`)).json.error.message).toContain("scoring_functions");
});
