import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { modelServer } from "../scoring/suites/modelServer.js";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("score");

/** Runs `elenchus score` in this process. */
function score(...words: string[]) {
  return commandHere("score", ...words);
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const jsonl = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const ROWS = [
  { key: 7, generated_answer: "4", expected_answer: "4" },
  { key: "b", generated_answer: "5", expected_answer: ["4", "5"] },
  { generated_answer: "6", expected_answer: "4" },
];
const EQUALITY = {
  scorer: "equality",
  rows: [
    { index: 0, key: 7, score: 1 },
    { index: 1, key: "b", score: 1 },
    { index: 2, score: 0 },
  ],
  metrics: {
    accuracy: 2 / 3,
    num_correct: 2,
    num_total: 3,
    accuracy_stderr: expect.closeTo(1 / 3, 12),
  },
};
const rows = file("rows.jsonl", jsonl(ROWS));

describe("elenchus score --json", () => {
  it("prints one document and nothing else", async () => {
    const { status, stdout, stderr } = await score("--scorer", "equality", "--input", rows, "--json");
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual(EQUALITY);
  });

  it("puts several scorers under their names", async () => {
    const input = file(
      "both.jsonl",
      jsonl([{ ...ROWS[0], instruction_id_list: ["punctuation:no_comma"], kwargs: [{}] }]),
    );
    const { status, stdout } = await score("--scorer", "ifeval, equality,ifeval", "--input", input, "--json");
    expect(status).toBe(0);
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(["ifeval", "equality"]);
    expect(document.ifeval).toMatchObject({
      scorer: "ifeval",
      rows: [{ index: 0, key: 7, score: 1, weight: 1, strict: [true], loose: [true], unstable: [] }],
      metrics: { prompt_level_strict_acc: 1, prompt_level_strict_acc_stderr: null },
      details: { "punctuation:no_comma": { count: 1, strict_acc: 1, loose_acc: 1 } },
    });
    expect(document.equality.metrics).toMatchObject({ accuracy: 1, num_total: 1 });
  });

  it("writes the same document to a file, and leaves nothing else behind", async () => {
    mkdirSync(join(folder, "out"));
    const output = join(folder, "out", "scores.json");
    const { status, stdout } = await score(
      "--scorer",
      "equality",
      "--input",
      rows,
      "--output",
      output,
      "--json",
    );
    expect([status, stdout]).toEqual([0, readFileSync(output, "utf8")]);
    expect(readdirSync(join(folder, "out"))).toEqual(["scores.json"]);
  });

  it("has rows of any number", async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ ...ROWS[index % 3], key: index }));
    const { stdout } = await score(
      "--scorer",
      "equality",
      "--input",
      file("many.jsonl", jsonl(many)),
      "--json",
    );
    const document = JSON.parse(stdout);
    expect(document.rows.map(({ key }: { key: number }) => key)).toEqual(many.map(({ key }) => key));
    expect(document.metrics.num_total).toBe(5000);
  });
});

describe("rows", () => {
  it("come from CSV, where lists are JSON text, and from gzipped lines", async () => {
    const csv =
      "key,prompt,instruction_id_list,kwargs,generated_answer\r\n" +
      'a,p,"[""detectable_format:number_bullet_lists""]","[{""num_bullets"": 1, ""relation"": null}]","- one\nline"\r\n';
    const { status, stdout } = await score("--scorer", "ifeval", "--input", file("rows.csv", csv), "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout).rows).toMatchObject([{ index: 0, key: "a", score: 1, strict: [true] }]);

    const packed = file("rows.jsonl.gz", gzipSync(jsonl(ROWS)));
    expect(JSON.parse((await score("--scorer", "equality", "--input", packed, "--json")).stdout)).toEqual(
      EQUALITY,
    );
  });

  it("take columns under other names", async () => {
    const renamed = ROWS.map(({ generated_answer: response, ...row }) => ({ ...row, response }));
    const input = file("renamed.jsonl", jsonl(renamed));
    const words = [
      "--scorer",
      "equality",
      "--input",
      input,
      "--json",
      "--rename",
      "response=generated_answer",
    ];
    expect(JSON.parse((await score(...words)).stdout)).toEqual(EQUALITY);
  });

  it("may be swapped by renaming", async () => {
    const input = file("swapped.jsonl", jsonl([{ generated_answer: "a", expected_answer: ["a", "b"] }]));
    const { stdout } = await score(
      ...["--scorer", "equality", "--input", input, "--json"],
      ...["--rename", "generated_answer=expected_answer", "--rename", "expected_answer=generated_answer"],
    );
    expect(JSON.parse(stdout).rows[0].error).toMatch(/generated_answer is \["a","b"\]: expected a text/);
  });

  it("that are bad are recorded, and the others judged", async () => {
    const input = file("bad.jsonl", jsonl([{ ...ROWS[0], generated_answer: null }, ...ROWS]));
    const { status, stdout, stderr } = await score("--scorer", "equality", "--input", input, "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout).rows[0]).toEqual({
      index: 0,
      key: 7,
      score: null,
      error: "generated_answer is null: expected a text.",
      error_code: "ROW_INVALID",
    });
    expect(JSON.parse(stdout).metrics).toEqual(EQUALITY.metrics);
    expect(stderr).toContain("1 of 4 rows could not be judged; the first is row 0");
  });

  it("that are all bad make the command fail, with the document still printed", async () => {
    const input = file("allBad.jsonl", jsonl([{ generated_answer: 1, expected_answer: "4" }]));
    const { status, stdout, stderr } = await score("--scorer", "equality", "--input", input, "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ rows: [{ index: 0, score: null }], metrics: null });
    expect(stderr).toContain("error [SCORING_FAILED]");
  });

  it("may be none", async () => {
    for (const input of [file("none.jsonl", ""), file("none.csv", "generated_answer,expected_answer\n")]) {
      const { status, stdout } = await score("--scorer", "equality", "--input", input, "--json");
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ scorer: "equality", rows: [], metrics: null });
    }
  });
});

it("a scorer of one's own is loaded by --import, and one that is not registered is unknown", async () => {
  const module = file(
    "length.mjs",
    `import { NamedAggregations, aggregationParams, defineScorer, scorers } from ${JSON.stringify(
      new URL("../../src/scoring/index.ts", import.meta.url).href,
    )};
    import { z } from "zod";
    const length = defineScorer({
      name: "length", description: "characters", columns: ["generated_answer"], params: z.strictObject(aggregationParams),
      judge: ({ generated_answer }) => ({ score: generated_answer.length }),
      aggregation: (params) => new NamedAggregations(params, ["average", "median"]),
    });
    scorers.register(length.name, length, { description: length.description });`,
  );
  const words = ["--scorer", "length", "--input", rows, "--json"];
  expect((await score(...words)).status).toBe(2);
  const { status, stdout } = await score(...words, "--import", module);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).metrics).toEqual({ average: 1, average_stderr: 0, median: 1 });
});

describe("a judge", () => {
  const params = (url: string) =>
    JSON.stringify({
      judge_model: `${url}#m`,
      prompt_template: "{answer}",
      judge_score_regexes: ["\\[(.*)\\]"],
      categories: { good: 1, bad: 0 },
    });

  it("is a server by reference; its answers are kept, and a threshold may fail", async () => {
    const { url, requests } = await modelServer(({ body }) =>
      body.messages![0]!.content === "6" ? "?" : "[good]",
    );
    const words = ["--scorer", "llm-as-judge::base", "--input", rows, "--json", "--params", params(url)];
    const cache = ["--cache", join(folder, "judged")];
    const { status, stdout, stderr } = await score(...words, ...cache, "--threshold", "num_unjudged<=0");
    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: [{ score: 1, category: "good" }, { score: 1 }, { score: null, unjudged: true, feedback: "?" }],
      metrics: { average: 1, num_judged: 2, num_unjudged: 1 },
      details: { categorical_count: { good: 2 }, judge: { calls: 3, input_tokens: 30, output_tokens: 6 } },
    });
    expect(stderr).toMatch(/1 of 3 rows could not be judged/);
    expect(requests).toHaveLength(3);
    expect((await score(...words, ...cache)).status).toBe(0);
    expect(requests).toHaveLength(3);
  });

  it("that cannot be opened is bad usage", async () => {
    const { status, stderr } = await score(
      ...["--scorer", "llm-as-judge::base", "--input", rows],
      ...["--params", params("http://127.0.0.1:1/v1").replace("#m", "")],
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/CONFIG_INVALID.*does not say which model/);
  });
});

describe("exit status 2", () => {
  it.each<[what: string, words: string[], message: RegExp]>([
    [
      "a missing column",
      ["--input", file("column.csv", "generated_answer\na\n")],
      /INPUT_UNREADABLE.*no column expected_answer. It has generated_answer/,
    ],
    [
      "a renamed column that is not there",
      ["--input", rows, "--rename", "x=generated_answer"],
      /no column x/,
    ],
    ["a missing file", ["--input", join(folder, "nowhere.jsonl")], /DATA_INVALID.*nowhere/],
    [
      "a torn file",
      ["--input", file("torn.jsonl", `${JSON.stringify(ROWS[0])}\n{"generated`)],
      /torn\.jsonl:2 cannot be read/,
    ],
    ["another kind of file", ["--input", file("rows.txt", "a")], /is no table/],
    ["an unknown scorer", ["--scorer", "eqality", "--input", rows], /NAME_UNKNOWN.*Did you mean "equality"/],
    ["params that are no JSON", ["--input", rows, "--params", "{a}"], /expected a JSON object/],
    [
      "params that are no object",
      ["--input", rows, "--params", "[1]"],
      /expected a JSON object, found \[1\]/,
    ],
    ["unknown params", ["--input", rows, "--params", '{"x": 1}'], /CONFIG_INVALID.*unknown key "x"/],
    ["a threshold that is none", ["--input", rows, "--threshold", "accuracy"], /expected METRIC>=NUMBER/],
    [
      "a threshold on another metric",
      ["--input", rows, "--threshold", "acc>=1"],
      /USAGE.*"acc", which was not measured. Measured: .*accuracy/,
    ],
    ["a renaming that is none", ["--input", rows, "--rename", "a="], /expected COLUMN=NEW_NAME/],
    ["no input", [], /required option '--input <file>'/],
    [
      "an output that cannot be written",
      ["--input", rows, "--output", join(folder, "no", "a.json")],
      /PATH_UNWRITABLE/,
    ],
  ])("for %s", async (_, words, message) => {
    const scorer = words.includes("--scorer") ? [] : ["--scorer", "equality"];
    const { status, stderr } = await score(...scorer, ...words);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("for params of a scorer that was not asked for", async () => {
    const { status, stderr } = await score(
      "--scorer",
      "equality,ifeval",
      "--input",
      rows,
      "--params",
      '{"seed": 1}',
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/--params has "seed", which is none of the scorers equality, ifeval/);
  });
});

describe("--threshold", () => {
  it.each([
    ["accuracy>=0.66", 0],
    ["accuracy >= 0.67", 3],
    ["accuracy<=0.67", 0],
    ["accuracy<=0.5", 3],
    ["equality.num_total>=3", 0],
  ])("%s ends with %i", async (condition, expected) => {
    const { status, stdout, stderr } = await score(
      "--scorer",
      "equality",
      "--input",
      rows,
      "--threshold",
      condition,
    );
    expect(status).toBe(expected);
    expect(stdout).toContain("equality  accuracy");
    expect(stderr.includes("THRESHOLD_MISSED")).toBe(expected === 3);
  });

  it("is missed where nothing was measured", async () => {
    const { status } = await score(
      "--scorer",
      "equality",
      "--input",
      file("empty.jsonl", ""),
      "--threshold",
      "accuracy>=0",
    );
    expect(status).toBe(3);
  });
});

it("list scorers names them", async () => {
  const { status, stdout } = await commandHere("list", "scorers", "--json");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      { name: "equality", description: expect.stringContaining("equals expected_answer") },
      { name: "ifeval", description: expect.stringContaining("25") },
      { name: "basic::docvqa", description: expect.stringContaining("Llama Stack") },
    ]),
  );
});
