import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("mixeval-command");
const mixeval = (...words: string[]) => commandHere("mixeval", ...words);
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const FREE = {
  problem_type: "free-form",
  context: null,
  prompt: "capital of France?",
  target: ["Paris"],
  benchmark_name: "TriviaQA",
};
const CHOICE = {
  problem_type: "multiple-choice",
  prompt: "How many?",
  options: ["one", "two"],
  target: [1],
  benchmark_name: "MMLU",
};
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const FREE_FILE = file(
  "m_close_freeform.jsonl",
  lines([
    { ...FREE, id: "0", response: "It is Paris" },
    { ...FREE, id: "1", response: "Rome" },
  ]),
);
const CHOICE_FILE = file("m_close_multichoice.jsonl", lines([{ ...CHOICE, id: "0", response: "**B**" }]));

describe("mixeval score", () => {
  it("prints the document: scores over the rows of all files, and each row", async () => {
    const { status, stdout } = await mixeval(
      ...["score", "--parser", "rule", "--json", "--responses", FREE_FILE, CHOICE_FILE],
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      overall: 1 / 3,
      benchmarks: { MMLU: { score: 0, n: 1 }, TriviaQA: { score: 0.5, n: 2 } },
      random: 1,
      rows: [
        { file: FREE_FILE, id: "0", score: 1, parsed: { numbers: [], strings: ["paris"] }, random: false },
        { file: FREE_FILE, id: "1", score: 0, parsed: { numbers: [], strings: ["rome"] }, random: false },
        { file: CHOICE_FILE, id: "0", score: 0, parsed: null, random: true },
      ],
    });
  });

  it("reads the letter in bold by extraction, shows a table, and writes the document", async () => {
    const output = join(folder, "scores.json");
    const { status, stdout } = await mixeval(
      ...["score", "--parser", "extract", "--output", output, "--responses", folder],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^overall\s+0\.666667\s+3$/m);
    expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({ overall: 2 / 3, random: 0 });
  });

  const others = (name: string, content: unknown) => {
    mkdirSync(join(folder, "others"), { recursive: true });
    return file(`others/${name}`, typeof content === "string" ? content : JSON.stringify(content));
  };
  const scored = async (...words: string[]) => {
    const { status, stdout, stderr } = await mixeval("score", "--parser", "extract", "--json", ...words);
    expect(status, stderr).toBe(0);
    return (JSON.parse(stdout) as { rows: { id: string; score: number }[] }).rows.map(({ id, score }) => [
      id,
      score,
    ]);
  };

  it("reads an array under any name, and a file that is named twice once", async () => {
    const array = others("array.jsonl", [
      { ...FREE, id: 4, response: "Paris" },
      { ...FREE, response: "Rome" },
    ]);
    expect(await scored("--responses", array, join(folder, "others", "..", "others", "array.jsonl"))).toEqual(
      [
        ["4", 1],
        ["1", 0],
      ],
    );
  });

  it("takes questions of the benchmark and the day that a file of answers is of", async () => {
    mkdirSync(join(folder, "whole", "mixeval-2024-08-11", "mixeval"), { recursive: true });
    mkdirSync(join(folder, "whole", "mixeval-2024-08-11", "mixeval-hard"), { recursive: true });
    const root = "whole/mixeval-2024-08-11";
    file(`${root}/mixeval/free-form.json`, JSON.stringify({ 0: FREE }));
    file(`${root}/mixeval-hard/free-form.json`, JSON.stringify({ 0: { ...FREE, target: ["Rome"] } }));
    const rows = lines([{ id: "0", response: "Rome" }]);
    const data = ["--data", join(folder, "whole")];
    expect(await scored("--responses", others("x_close_freeform_hard.jsonl", rows), ...data)).toEqual([
      ["0", 1],
    ]);
    expect(await scored("--responses", others("x_close_freeform.jsonl", rows), ...data)).toEqual([["0", 0]]);
    const nameless = await mixeval(
      ...["score", "--parser", "extract", "--responses", others("freeform.jsonl", rows), ...data],
    );
    expect(nameless.stderr).toMatch(
      /mixeval\/free-form.json and .*mixeval-hard\/free-form.json each have one of id 0/,
    );
  });

  it.each<[string, string, unknown, RegExp]>([
    ["without a row", "empty.jsonl", "", /empty\.jsonl holds no answers.*--responses/],
    ["of an empty array", "empty.json", [], /empty\.json holds no answers/],
    [
      "of texts by id",
      "texts.json",
      { 0: "Paris" },
      /texts\.json, row 0 is "Paris"\. Expected a JSON object/,
    ],
    [
      "without ids and questions",
      "noid.jsonl",
      '{"response":"Paris"}',
      /noid\.jsonl:1 .* nor an id: found id missing/,
    ],
    ["with ids that are none", "nullid.jsonl", '{"id":null,"response":"x"}', /nor an id: found id null/],
    [
      "with an id twice",
      "twice.jsonl",
      lines([0, 0].map((id) => ({ ...FREE, id, response: "" }))),
      /:2 has the id 0/,
    ],
    ["without a response", "silent.jsonl", lines([{ ...FREE, id: 0 }]), /:1 has no response: found nothing/],
  ])("refuses a file %s", async (_, name, content, message) => {
    const { status, stderr } = await mixeval(
      ...["score", "--parser", "extract", "--responses", others(name, content)],
    );
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it("refuses a benchmark that no file is of, and a concurrency of nothing", async () => {
    const words = ["score", "--parser", "rule", "--responses", FREE_FILE];
    const hard = await mixeval(...words, "--benchmark", "mixeval_hard");
    expect(hard).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/answers of mixeval, none of mixeval_hard.*--benchmark/),
    });
    const none = await mixeval(...words, "--concurrency", "0");
    expect(none).toMatchObject({ status: 2, stderr: expect.stringMatching(/from 1, found 0/) });
  });

  it("exits with 2 for an unknown parser and for what is no file of answers", async () => {
    const unknown = await mixeval("score", "--parser", "rul", "--responses", FREE_FILE);
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringMatching(/NAME_UNKNOWN.*rule/s) });
    const absent = await mixeval("score", "--parser", "rule", "--responses", join(folder, "no.jsonl"));
    expect(absent).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/INPUT_UNREADABLE.*no\.jsonl is neither a file nor a folder/s),
    });
  });
});

/** A server whose judge says what the golden answer of a question asks it to, and whose model says "Paris". */
const asked: string[] = [];
const tries = new Map<string, number>();
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    const { messages, seed } = JSON.parse(body) as { messages: { content: string }[]; seed: number };
    const question = messages.at(-1)!.content;
    const [, say] = /.*<answer 1> ([^\n]*)\n/s.exec(question) ?? [];
    asked.push(say ?? question);
    const count = (tries.get(say ?? "") ?? 0) + 1;
    tries.set(say ?? "", count);
    response.setHeader("content-type", "application/json");
    if (say === "busy" && count === 1) {
      response.writeHead(429, { "retry-after": "0" }).end("{}");
      return;
    }
    if (say === "broken") {
      response.writeHead(400).end('{"error":{"message":"blocked"}}');
      return;
    }
    const content = say === undefined ? "Paris" : (SAYINGS[say] ?? ((attempt) => `${attempt}`))(seed);
    response.end(
      JSON.stringify({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] }),
    );
  });
});
const SAYINGS: Record<string, (attempt: number) => string> = {
  valid: () => "Near. [[0.7]]",
  single: () => "Near. [0.2]",
  outside: () => "[[7.0]]",
  missing: () => "no idea",
  late: (attempt) => (attempt === 0 ? "no idea" : "[[1.0]]"),
  busy: () => "[[0.9]]",
};
let judge: string[] = [];
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  judge = ["--judge-model", JSON.stringify({ url, model: "org/j", first_pause: 1, attempts: 3 })];
});
afterAll(() => void server.close());

describe("mixeval score --parser judge", () => {
  const toJudge = (name: string, sayings: string[]) => {
    mkdirSync(join(folder, name), { recursive: true });
    const rows = sayings.map((say, id) => ({
      ...FREE,
      prompt: `${say}?`,
      target: [say],
      id: `${id}`,
      response: "R",
    }));
    return file(`${name}/m_close_freeform.jsonl`, lines(rows));
  };

  it("reads every kind of verdict, tries again what may pass, and makes none up", async () => {
    const answers = toJudge("kinds", [
      "valid",
      "single",
      "outside",
      "missing",
      "late",
      "busy",
      "broken",
      "valid",
    ]);
    const { status, stdout, stderr } = await mixeval(
      ...["score", "--parser", "judge", "--json", "--responses", answers, ...judge],
    );
    expect(status, stderr).toBe(0);
    const { overall, unjudged, rows } = JSON.parse(stdout) as {
      overall: number;
      unjudged: number;
      rows: { score: number | null }[];
    };
    expect(rows.map(({ score }) => score)).toEqual([0.7, 0.2, null, null, 1, 0.9, null, 0.7]);
    expect(unjudged).toBe(3);
    expect(overall).toBeCloseTo((0.7 + 0.2 + 1 + 0.9 + 0.7) / 5, 12);
    expect(stderr).toMatch(/3 answers have no verdict/);
    const count = (say: string) => asked.filter((one) => one === say).length;
    expect(["valid", "missing", "busy", "broken"].map(count)).toEqual([1, 10, 2, 1]);
  });

  it("ends with 1 where no answer gets a verdict, its document printed", async () => {
    const answers = toJudge("hopeless", ["broken"]);
    const { status, stdout, stderr } = await mixeval(
      ...["score", "--parser", "judge", "--json", "--responses", answers, ...judge],
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ overall: null, unjudged: 1 });
    expect(stderr).toMatch(/SCORING_FAILED.*1 of 1.*blocked/s);
  });

  it("writes MixEval's files, and asks for no verdict that they hold", async () => {
    const answers = toJudge("written/a/mixeval/2024-08-11", ["valid", "missing"]);
    const root = join(folder, "written");
    const words = ["score", "--parser", "judge", "--responses", answers, "--output-dir", root];
    expect((await mixeval(...words, ...judge)).status).toBe(0);
    const place = join(root, "a", "mixeval", "2024-08-11");
    expect(readdirSync(place).sort()).toEqual([
      "judge_results_ff_model_judge_org_j.jsonl",
      "m_close_freeform.jsonl",
      "score.json",
    ]);
    const verdicts = readFileSync(join(place, "judge_results_ff_model_judge_org_j.jsonl"), "utf8");
    expect(JSON.parse(verdicts)).toMatchObject({
      id: "0",
      judge_score: 0.7,
      judge_response: "Near. [[0.7]]",
    });
    expect(JSON.parse(readFileSync(join(root, "score.json"), "utf8"))).toEqual({
      a: { overall: 0.7, TriviaQA: 0.7 },
    });
    const before = asked.length;
    const again = await mixeval(...words, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ overall: 0.7, unjudged: 1 });
    expect(asked).toHaveLength(before);
    const judged = join(place, "judge_results_ff_model_judge_org_j.jsonl");
    const direct = await mixeval("score", "--parser", "judge", "--json", "--responses", judged);
    expect(JSON.parse(direct.stdout)).toMatchObject({ overall: 0.7, rows: [{ id: "0", score: 0.7 }] });
  });

  it("exits with 2 where there is no verdict and no judge, and for a judge that nobody asks", async () => {
    const nobody = await mixeval("score", "--parser", "judge", "--responses", FREE_FILE);
    expect(nobody).toMatchObject({ status: 2, stderr: expect.stringMatching(/--judge-model/) });
    const idle = await mixeval("score", "--parser", "rule", "--responses", FREE_FILE, "--judge-model", "x#y");
    expect(idle).toMatchObject({ status: 2, stderr: expect.stringMatching(/asks no judge/) });
  });
});

describe("answers of several models", () => {
  it("are told apart, and a mixed overall score is warned of", async () => {
    for (const [model, hard] of [
      ["a", ""],
      ["b", "_hard"],
    ] as const) {
      mkdirSync(join(folder, "several", model), { recursive: true });
      file(
        `several/${model}/${model}_close_freeform${hard}.jsonl`,
        lines([{ ...FREE, id: "0", response: "Paris" }]),
      );
    }
    const words = ["score", "--parser", "rule", "--responses", join(folder, "several")];
    const { stdout, stderr } = await mixeval(...words);
    expect(stdout).toMatch(/^a\s+mixeval\s+1\s+1$/m);
    expect(stdout).toMatch(/^b\s+mixeval_hard\s+1\s+1$/m);
    expect(stderr).toMatch(/differ in model and benchmark.*--benchmark/);
    const hard = await mixeval(...words, "--benchmark", "mixeval_hard", "--json");
    expect(JSON.parse(hard.stdout).rows).toHaveLength(1);
    expect(hard.stderr).not.toMatch(/differ/);
  });
});

describe("mixeval generate", () => {
  it("writes a model's answers, which score reads", async () => {
    mkdirSync(join(folder, "release-2024-08-11"));
    file("release-2024-08-11/free-form.json", JSON.stringify({ 5: FREE, 9: FREE }));
    const words = ["--model", `${url}#org/m`, "--data", join(folder, "release-2024-08-11")];
    const root = join(folder, "generated");
    const made = await mixeval("generate", ...words, "--output-dir", root, "--json");
    expect(made.status, made.stderr).toBe(0);
    const path = join(root, "org_m", "mixeval", "2024-08-11", "org_m_close_freeform.jsonl");
    expect(JSON.parse(made.stdout)).toEqual({ files: [path], rows: 2, answered: 2, calls: 1 });
    const scored = await mixeval("score", "--parser", "rule", "--json", "--responses", root);
    expect(JSON.parse(scored.stdout)).toMatchObject({ overall: 1, rows: [{ id: "5" }, { id: "9" }] });
    const other = await mixeval("generate", ...words, "--output-dir", root, "--max-new-tokens", "7");
    expect(other).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/RESUME_REFUSED.*max_new_tokens/s),
    });
  });
});

it("`mixeval` alone shows its own commands, as bad usage", async () => {
  const { status, stdout, stderr } = await mixeval();
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^Usage: elenchus mixeval .*\n\s+generate /s);
});

describe("mixeval prompts", () => {
  it("writes each question with its prompt, for base models behind five examples", async () => {
    const data = file("multiple-choice.json", JSON.stringify({ 7: CHOICE }));
    const prompt =
      "How many?\nA. one\nB. two\nAnswer with the option letter from the given choices directly.";
    const chat = await mixeval("prompts", "--data", data);
    expect(JSON.parse(chat.stdout)).toEqual({ ...CHOICE, formated_input: prompt, id: "7" });
    const base = await mixeval("prompts", "--data", data, "--base-model", "--json");
    const [row] = JSON.parse(base.stdout) as [{ formated_input: string }];
    expect(row.formated_input).toMatch(/^According to cell classification/);
    expect(row.formated_input.endsWith(`B\n\n${prompt}\n`)).toBe(false);
    expect(row.formated_input.endsWith(`\n\n${prompt}\n`)).toBe(true);
  });

  it("finds one release of several, and says what is no release", async () => {
    const day = (name: string, question: string) => {
      mkdirSync(join(folder, "releases", name), { recursive: true });
      file(`releases/${name}/free-form.json`, JSON.stringify({ 0: { ...FREE, prompt: question } }));
    };
    day("mixeval-2024-06-01", "old?");
    day("mixeval-2024-08-11", "new?");
    const old = await mixeval("prompts", "--data", join(folder, "releases"), "--release", "2024-06-01");
    expect(JSON.parse(old.stdout)).toMatchObject({ prompt: "old?" });
    const newest = await mixeval("prompts", "--data", join(folder, "releases"));
    expect(JSON.parse(newest.stdout)).toMatchObject({ prompt: "new?" });
    const absent = await mixeval("prompts", "--data", join(folder, "nowhere"));
    expect(absent).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/nowhere is no folder.*free-form\.json/),
    });
  });
});
