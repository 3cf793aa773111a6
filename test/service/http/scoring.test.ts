import { describe, expect, it } from "vitest";
import { ScriptedLanguageModel } from "../../../src/language/index.js";
import { FIVE_ROWS } from "../support/fiveRows.js";
import { testService } from "../support/testService.js";

const judge = new ScriptedLanguageModel({
  name: "judge",
  answer: ({ prompt }) =>
    (prompt as readonly { content: string }[])[0]!.content.includes("Paris") ? "GRADE: 4" : "no idea",
});
const { ask } = await testService({ models: { judge }, set: ["max_request_rows=5"] });
const score = (scoring_functions: object, input_rows: readonly object[] = FIVE_ROWS) =>
  ask("POST", "/v1/scoring/score", { input_rows, scoring_functions });

describe("params", () => {
  it("do not change what the next call gets", async () => {
    const rows = [{ generated_answer: "first B, then: C", expected_answer: "C" }];
    await ask("POST", "/v1/scoring-functions", {
      scoring_fn_id: "letter",
      description: "the first letter",
      return_type: { type: "number" },
      params: { type: "regex_parser", parsing_regexes: ["([A-D])"] },
    });
    const call = async (params: object | null) => (await score({ letter: params }, rows)).json.results.letter;
    const before = await call(null);
    expect(before.score_rows[0].score).toBe(0);
    const other = await call({
      type: "regex_parser",
      parsing_regexes: [": ([A-D])"],
      aggregation_functions: ["average"],
    });
    expect(other.score_rows[0].score).toBe(1);
    expect(Object.keys(other.aggregated_results)).toEqual(["average"]);
    expect(await call(null)).toEqual(before);
  });

  it("have their figures where there are no rows", async () => {
    const { json } = await score({ "basic::equality": null }, []);
    expect(json.results["basic::equality"]).toEqual({
      score_rows: [],
      aggregated_results: {
        accuracy: { accuracy: null, num_correct: 0, num_total: 0, accuracy_stderr: null },
      },
    });
  });

  it("that do not fit are refused before a row is judged", async () => {
    const { status, json } = await score({ "basic::equality": { nonsense: 1 } });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: "CONFIG_INVALID" });
    expect(json.error.message).toMatch(/nonsense/);
  });
});

describe("a judge", () => {
  it("leaves a row without a verdict unjudged, and loses no other", async () => {
    const params = {
      type: "llm_as_judge",
      judge_model: "judge",
      prompt_template: "{expected_answer}",
      judge_score_regexes: ["GRADE: (\\d)"],
      aggregation_functions: ["average"],
    };
    const { json } = await score({ "llm-as-judge::base": params });
    const { score_rows: rows, aggregated_results: figures } = json.results["llm-as-judge::base"];
    expect(rows.map((row: { score: unknown }) => row.score)).toEqual([4, null, null, null, null]);
    expect(rows[1]).toMatchObject({ unjudged: true, judge_feedback: "no idea" });
    expect(figures.average.average).toBe(4);
  });

  it("that is no model of the service is not asked", async () => {
    const { status } = await score({
      "llm-as-judge::base": { judge_model: "../../etc", prompt_template: "x" },
    });
    expect(status).toBeGreaterThanOrEqual(400);
  });
});

it("rows without a column that a scorer needs are refused, and no rows are no error", async () => {
  const { status, json } = await score({ "basic::equality": null }, [{ answer: 1 }]);
  expect(status).toBe(400);
  expect(json.error.message).toMatch(/generated_answer, expected_answer.*no row has.*answer/);
  expect((await score({ "basic::equality": null }, [])).json.results["basic::equality"].score_rows).toEqual(
    [],
  );
});

it("more rows than one request may have are a job's", async () => {
  const { status, json } = await score({ "basic::equality": null }, [...FIVE_ROWS, ...FIVE_ROWS]);
  expect(status).toBe(413);
  expect(json.error.message).toMatch(/max_request_rows.*job/);
  await ask("POST", "/v1/datasets", {
    dataset_id: "ten",
    purpose: "eval/question-answer",
    source: { type: "rows", rows: [...FIVE_ROWS, ...FIVE_ROWS] },
  });
  const asked = { dataset_id: "ten", scoring_functions: { "basic::equality": null } };
  expect((await ask("POST", "/v1/scoring/score-batch", asked)).status).toBe(413);
  const { json: job } = await ask("POST", "/api/jobs/score", asked);
  await expect.poll(async () => (await ask("GET", `/api/jobs/${job.job_id}`)).json.status).toBe("completed");
  const { result } = (await ask("GET", `/api/jobs/${job.job_id}`)).json;
  expect(result.metrics["basic::equality:num_correct"]).toBe(6);
});
