import * as autoevals from "autoevals";
import { describe, expect, it } from "vitest";
import { scorers } from "../../src/scoring/index.js";
import { modelJudges } from "../../src/tasks/index.js";
import { scored } from "./scored.js";
import { type ModelRequest, modelServer, toolCall } from "./suites/modelServer.js";
import { scorerSuite } from "./suites/scorerSuite.js";

const surroundings = { judges: modelJudges() };
const row = (generated_answer: unknown, expected_answer?: unknown, more: object = {}) => ({
  generated_answer,
  ...(expected_answer !== undefined && { expected_answer }),
  ...more,
});

scorerSuite("autoevals::Levenshtein", () => ({
  scorer: scorers.lookup("autoevals::Levenshtein"),
  good: [row("a", "a"), row("abc", "abd"), row("", "")],
  bad: [row("a"), row(3, "a"), row(undefined, "a")],
}));

it("has every scorer of the package, by its name", () => {
  // Scorers and makers of scorers begin with a capital and are functions; schemas and patterns are none.
  const exported = Object.entries(autoevals)
    .filter(([name, value]) => /^[A-Z][a-zA-Z]*[a-z]/.test(name) && typeof value === "function")
    .map(([name]) => `autoevals::${name}`);
  const known = scorers.registeredNames().filter((name) => name.startsWith("autoevals::"));
  expect(known).toEqual([...exported].sort());
});

describe("scorers that ask nobody", () => {
  it.each<[name: string, row: ReturnType<typeof row>, score: number]>([
    ["Levenshtein", row("abc", "abd"), 2 / 3],
    ["Levenshtein", row("", ""), 1],
    ["Levenshtein", row("😀", "😁"), 0.5],
    ["ExactMatch", row({ a: 1, b: 2 }, { b: 2, a: 1 }), 0],
    ["ExactMatch", row('{"a": 1}', { a: 1 }), 1],
    ["NumericDiff", row(9, 10), 0.947368],
    ["NumericDiff", row("-5", 5), 0],
    ["ListContains", row(["ab", "cd"], ["cd", "ab", "x"]), 2 / 3],
    ["ListContains", row('["ab"]', '["ab"]'), 1],
    ["JSONDiff", row({ a: 1, b: "x" }, { a: 2, b: "x" }), 5 / 6],
    ["JSONDiff", row({}, { a: null }), 1],
    ["ValidJSON", row("1"), 0],
    ["ValidJSON", row("[1]", undefined, { schema: { type: "array" } }), 1],
  ])("%s of %o is %d", async (name, one, score) => {
    const { results } = await scored(`autoevals::${name}`, [one]);
    expect(results[0]!.error).toBeUndefined();
    expect(results[0]!.score).toBeCloseTo(score, 5);
  });

  it("take arguments of the call", async () => {
    const rows = [row(["ab", "x"], ["ab"])];
    expect((await scored("autoevals::ListContains", rows)).scores).toEqual([0.5]);
    const params = { arguments: { allowExtraEntities: true } };
    expect((await scored("autoevals::ListContains", rows, params)).scores).toEqual([1]);
  });
});

/** Answers chats by tool calls, embeds texts as unit vectors by their first letter, flags what says "bad". */
function answering(chat: (request: ModelRequest, call: number) => unknown) {
  return (request: ModelRequest, call: number) => {
    const { path, body } = request;
    if (path.endsWith("/moderations")) {
      const flagged = String(body.input).includes("bad");
      return { json: { results: [{ flagged, category_scores: { hate: flagged ? 0.9 : 0.1 } }] } };
    }
    if (path.endsWith("/embeddings")) {
      const letter = String(body.input).toLowerCase().charCodeAt(0) - 97;
      const embedding = Array.from({ length: 26 }, (_, place) => Number(place === letter));
      return { json: { data: [{ embedding, index: 0 }] } };
    }
    return toolCall(body, chat(request, call));
  };
}

const question = { input_query: "Who?", context: "Ada did. <b>It's & that</b>" };
const STATEMENTS = { TP: ["a", "b"], FP: ["c"], FN: ["d"] };
const NONE = { TP: [], FP: [], FN: [] };

describe("scorers that ask a model", () => {
  it("choose by a forced tool call; the choice, its worth and the reasons are kept", async () => {
    const { url, requests } = await modelServer(answering(() => ({ reasons: "because", choice: "B" })));
    const rows = [row("Ada Lovelace", "Ada", question)];
    const params = { judge_model: `${url}#local`, temperature: 0 };
    const { results, metrics } = await scored("braintrust::factuality", rows, params, surroundings);
    expect(results[0]).toMatchObject({ score: 0.6, category: "B", feedback: "because" });
    expect(metrics).toMatchObject({ average: 0.6, avg_factuality_score: 0.6 });
    expect(requests[0]!.body).toMatchObject({ model: "local", temperature: 0 });
    expect(requests[0]!.body.messages![0]!.content).toContain("[Submission]: Ada Lovelace");
  });

  it.each<[name: string, rows: object, chat: unknown, score: number, calls: number]>([
    ["Battle", { instructions: "be brief" }, { choice: "Yes" }, 1, 1],
    ["ClosedQA", { criteria: "is true" }, { choice: "Y" }, 1, 1],
    ["Humor", {}, { choice: "Unsure" }, 0.5, 1],
    ["Possible", {}, { choice: "A" }, 0, 1],
    ["Security", {}, { choice: "No" }, 1, 1],
    ["Sql", {}, { choice: "Correct" }, 1, 1],
    ["Summary", {}, { choice: "B" }, 1, 1],
    ["Translation", { language: "Greek" }, { choice: "Y" }, 1, 1],
    ["Moderation", {}, {}, 1, 1],
    ["EmbeddingSimilarity", {}, {}, 1, 2],
    ["AnswerSimilarity", {}, {}, 1, 2],
    ["AnswerCorrectness", {}, STATEMENTS, 0.75, 3],
    ["ContextPrecision", {}, { reason: "r", verdict: 1 }, 1, 1],
    ["ContextRecall", {}, { statements: [{ statement: "s", attributed: 1, reason: "r" }] }, 1, 1],
    ["ContextRelevancy", {}, { sentences: [{ sentence: "Ada did.", reasons: ["r"] }] }, 8 / 27, 1],
    ["ContextEntityRecall", {}, { entities: ["Ada", "Bob"] }, 1, 10],
    ["AnswerRelevancy", {}, { question: "Why?", noncommittal: 0 }, 1, 9],
  ])("%s", async (name, more, chat, score, calls) => {
    const { url, requests } = await modelServer(answering(() => ({ reasons: "", ...(chat as object) })));
    const params = { judge_model: `${url}#local`, embedding_model: "local-embeddings" };
    const rows = [row("Ada", "Ada", { ...question, ...more })];
    const { results } = await scored(`autoevals::${name}`, rows, params, surroundings);
    expect(results[0]!.error).toBeUndefined();
    expect(results[0]!.score).toBeCloseTo(score, 10);
    // All of them went to this server, embeddings by the name that the call gives.
    expect(requests).toHaveLength(calls);
    const embedded = requests.filter(({ path }) => path.endsWith("/embeddings"));
    expect(embedded.every(({ body }) => body.model === "local-embeddings")).toBe(true);
  });

  it("Faithfulness asks for statements, then for verdicts; data reach the judge without HTML escapes", async () => {
    const { url, requests } = await modelServer(
      answering((_, call) =>
        call === 1
          ? { statements: ["a", "b"] }
          : {
              faithfulness: ["a", "b"].map((statement, place) => ({
                statement,
                verdict: place,
                reason: "r",
              })),
            },
      ),
    );
    const { scores } = await scored(
      "braintrust::faithfulness",
      [row("<i>Ada</i>", "Ada", question)],
      { judge_model: `${url}#local` },
      surroundings,
    );
    expect(scores).toEqual([0.5]);
    expect(requests[0]!.body.messages![0]!.content).toContain("answer: <i>Ada</i>");
    expect(requests[1]!.body.messages![0]!.content).toContain("context: Ada did. <b>It's & that</b>");
  });

  it("AnswerCorrectness is defined where no statement is found, by any weights", async () => {
    const { url } = await modelServer(answering(() => NONE));
    const rows = [row("Ada", "Ada", question), row("Ada", "Bob", question)];
    const score = async (given: object) => {
      const params = { judge_model: `${url}#local`, arguments: given };
      return (await scored("braintrust::answer-correctness", rows, params, surroundings)).scores;
    };
    expect(await score({})).toEqual([1, 0.75]);
    expect(await score({ factualityWeight: 1, answerSimilarityWeight: 1 })).toEqual([1, 0.5]);
    expect(await score({ factualityWeight: 1, answerSimilarityWeight: 0 })).toEqual([1, 1]);
  });

  it("classifiers are made of templates, specs and messages", async () => {
    const { url, requests } = await modelServer(answering(() => ({ reasons: "", choice: "good" })));
    const choiceScores = { good: 0.9, bad: 0.1 };
    const rows = [row("x", "y", { mood: "glad" })];
    const score = async (name: string, given: object) => {
      const params = { judge_model: `${url}#local`, arguments: given };
      return (await scored(`autoevals::${name}`, rows, params, surroundings)).scores;
    };
    const promptTemplate = "Is {{output}} {{mood}}?";
    expect(await score("LLMClassifierFromTemplate", { promptTemplate, choiceScores })).toEqual([0.9]);
    expect(requests[0]!.body.messages![0]!.content).toMatch(/^Is x glad\?/);
    const spec = { prompt: promptTemplate, choice_scores: choiceScores };
    expect(await score("LLMClassifierFromSpec", { spec })).toEqual([0.9]);
    const messages = [{ role: "user", content: "{{output}}?" }];
    expect(await score("OpenAIClassifier", { messages, choiceScores })).toEqual([0.9]);
    await expect(score("LLMClassifierFromTemplate", { promptTemplate })).rejects.toThrow(/lack choiceScores/);
    await expect(score("LLMClassifierFromSpecFile", {})).rejects.toThrow(/lack templateName/);
  });

  it("one row that fails leaves the others theirs", async () => {
    const { url } = await modelServer((request, call) =>
      answering(() => ({
        reasons: "",
        choice: String(request.body.messages![0]!.content).includes("odd") ? "Z" : "C",
      }))(request, call),
    );
    const rows = ["a", "odd", "b"].map((text) => row(text, "Ada", question));
    const { results } = await scored(
      "autoevals::Factuality",
      rows,
      { judge_model: `${url}#local` },
      surroundings,
    );
    expect(results).toMatchObject([
      { score: 1 },
      { score: null, error: expect.stringContaining("Z") },
      { score: 1 },
    ]);
  });
});

it("calls at the same time each ask their own server, and leave the package's own settings alone", async () => {
  const servers = await Promise.all(
    ["A", "C"].map((choice) => modelServer(answering(() => ({ reasons: "", choice, ...NONE })))),
  );
  const rows = [row("Ada", "Ada", question)];
  const [one, other] = await Promise.all(
    servers.map(({ url }) =>
      scored("autoevals::Factuality", rows, { judge_model: `${url}#m` }, surroundings),
    ),
  );
  expect([one!.scores, other!.scores]).toEqual([[0.4], [1]]);
  expect(servers.map(({ requests }) => requests.length)).toEqual([1, 1]);
  expect(autoevals.getDefaultModel()).toBe("gpt-5-mini");
});

it("in code a client may be given, which a row cannot change", async () => {
  const asked: unknown[] = [];
  const embed = async (body: { input: string }) => {
    asked.push(body);
    return { data: [{ embedding: [1, body.input.length] }] };
  };
  const client = {
    embeddings: { create: embed },
    chat: { completions: { create: embed } },
    moderations: { create: embed },
  };
  const rows = [row("ab", "ab", { client: null, openAiBaseUrl: "http://127.0.0.1:1" })];
  const params = { client, arguments: { client: null, openAiBaseUrl: "http://127.0.0.1:1" } };
  const { scores } = await scored("autoevals::AnswerSimilarity", rows, params);
  expect(scores).toEqual([expect.closeTo(1, 12)]);
  expect(asked).toHaveLength(2);
});

it("without a model a scorer that asks is refused, and one without a server cannot be asked", async () => {
  expect(() => scorers.lookup("autoevals::Factuality").score([])).toThrow(/judge_model is missing/);
  const judges = { open: async () => ({ name: "local", ask: async () => ({ text: "" }) }) };
  const scoring = scored("autoevals::Humor", [row("a")], { judge_model: "folder" }, { judges });
  await expect(scoring).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
});
