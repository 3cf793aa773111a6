import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger, systemClock } from "../../../src/base/index.js";
import {
  ClusteredMean,
  findRelease,
  HeldVerdicts,
  heldVerdict,
  mixEvalRowSchema,
  openParser,
  placeFolder,
  RowLog,
  rankCorrelation,
  responseFileName,
  responsePlace,
} from "../../../src/scoring/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

const folder = temporaryFolder("mixeval-published");
const put = (path: string, content: unknown) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
const FREE = mixEvalRowSchema.parse({
  problem_type: "free-form",
  prompt: "capital of France?",
  target: ["Paris"],
  benchmark_name: "TriviaQA",
});
const CHOICE = mixEvalRowSchema.parse({
  problem_type: "single-choice",
  prompt: "How many?",
  options: ["one", "two"],
  target: [1],
  benchmark_name: "MMLU",
});

describe("names as published", () => {
  it("tells whose answers a file has, by its folders or by its name", () => {
    expect(responsePlace("/r/gemma/mixeval_hard/2024-06-01/g_close_freeform_hard.jsonl")).toEqual({
      model: "gemma",
      benchmark: "mixeval_hard",
      version: "2024-06-01",
    });
    expect(responsePlace("m_1_close_multichoice_hard.jsonl")).toEqual({
      model: "m_1",
      benchmark: "mixeval_hard",
      version: null,
    });
    expect(responsePlace("/r/mine.json")).toEqual({ model: "mine", benchmark: "mixeval", version: null });
  });

  it("lets no name of a model lead out of the folder", () => {
    const place = { model: "../org/m", benchmark: "mixeval", version: "2024-08-11" } as const;
    expect(placeFolder(place)).toBe(".._org_m/mixeval/2024-08-11");
    expect(responseFileName(place, "freeform")).toBe(".._org_m_close_freeform.jsonl");
    expect(placeFolder({ ...place, model: "..", version: null })).toBe("_../mixeval/unversioned");
  });
});

describe("a release", () => {
  const hub = {
    settings: { endpoint: "http://127.0.0.1:9", offline: true, cacheFolder: join(folder, "cache") },
    logger: silentLogger,
    clock: systemClock,
  };
  put("data/mixeval-2024-06-01/mixeval/free-form.json", { 0: FREE });
  put("data/mixeval-2024-08-11/mixeval/free-form.json", { 0: FREE, 7: FREE });
  put("data/mixeval-2024-08-11/mixeval/multiple-choice.json", { 3: CHOICE });
  put("data/mixeval-2024-08-11/mixeval-hard/multiple-choice.json", { 3: CHOICE });
  const told = async (request: Parameters<typeof findRelease>[0]) => {
    const { version, splits } = await findRelease(request, hub);
    return [
      version,
      ...splits.map(({ benchmark, kind, rows }) => `${benchmark} ${kind} ${[...rows.keys()]}`),
    ];
  };

  it("is the newest of a folder, the one asked for, or the one that a folder is", async () => {
    const newest = [
      "2024-08-11",
      "mixeval freeform 0,7",
      "mixeval multichoice 3",
      "mixeval_hard multichoice 3",
    ];
    expect(await told({ data: join(folder, "data") })).toEqual(newest);
    expect(await told({ data: join(folder, "data"), version: "2024-06-01" })).toEqual([
      "2024-06-01",
      "mixeval freeform 0",
    ]);
    expect(await told({ data: join(folder, "data/mixeval-2024-08-11/mixeval-hard") })).toEqual([
      "2024-08-11",
      "mixeval_hard multichoice 3",
    ]);
  });

  it("of the hub is found by its subsets and splits, without a day unless one is given", async () => {
    const commit = "c".repeat(40);
    const row = { ...FREE, options: null };
    const names = ["MixEval/free_form-00000-of-00001.jsonl", "MixEval_Hard/free_form.jsonl", "README.md"];
    const online = {
      ...hub,
      settings: { ...hub.settings, endpoint: "http://hub", offline: false },
      fetch: (async (address: string | URL) =>
        String(address).includes("/api/")
          ? Response.json({ sha: commit, siblings: names.map((rfilename) => ({ rfilename })) })
          : new Response(`${JSON.stringify(row)}\n`)) as typeof fetch,
    };
    const { version, splits } = await findRelease({ data: "MixEval/MixEval" }, online);
    expect(version).toBeNull();
    expect(splits.map(({ benchmark, rows }) => [benchmark, rows.get("0")!.prompt])).toEqual([
      ["mixeval", FREE.prompt],
      ["mixeval_hard", FREE.prompt],
    ]);
    const named = await findRelease({ data: "MixEval/MixEval", version: "2024-06-01" }, online);
    expect(named.version).toBe("2024-06-01");
  });

  it.each<[string, Parameters<typeof findRelease>[0], RegExp]>([
    ["another day", { data: join(folder, "data"), version: "2025-01-01" }, /one of 2024-06-01, 2024-08-11/],
    [
      "a benchmark that is not there",
      { data: join(folder, "data"), version: "2024-06-01", benchmarks: ["mixeval_hard"] },
      /no files of mixeval_hard/,
    ],
    ["a folder without one", { data: join(folder, "data/none") }, /no folder/],
    [
      "a name that is neither a folder's nor a data set's",
      { data: "nowhere" },
      /^nowhere is no folder\. Expected one with free-form\.json/,
    ],
    ["a data set out of reach", { data: "owner/another" }, /not in the cache/],
  ])("refuses %s", async (_, request, message) => {
    await expect(findRelease(request, hub)).rejects.toThrowError(message);
  });

  it("refuses two files for the same questions, and rows of the other kind", async () => {
    put("twice/a/mixeval/free-form.json", { 0: FREE });
    put("twice/b/mixeval/free-form.json", { 0: FREE });
    await expect(told({ data: join(folder, "twice") })).rejects.toThrowError(/for the same questions/);
    put("mixed/mixeval/free-form.json", { 0: CHOICE });
    await expect(told({ data: join(folder, "mixed") })).rejects.toThrowError(/for the other kind/);
  });
});

describe("verdicts of files", () => {
  it.each<[string, typeof FREE, Record<string, unknown>, object | undefined]>([
    ["a grade", FREE, { judge_score: 0.3, judge_response: "so [[0.3]]" }, { score: 0.3, stated: true }],
    [
      "a grade made up by chance",
      FREE,
      { judge_score: 0.3, judge_response: "?" },
      { score: 0.3, stated: false },
    ],
    ["a grade without words", FREE, { judge_score: 1 }, { score: 1, stated: true }],
    ["no grade", FREE, { judge_score: -1 }, undefined],
    [
      "a letter",
      CHOICE,
      { judge_option: "B", judge_response: "[[B]]" },
      { score: 1, parsed: "B", stated: true },
    ],
    ["another letter", CHOICE, { judge_option: "A", judge_response: "[[B]]" }, { score: 0, stated: false }],
    ["a letter of no option", CHOICE, { judge_option: "C" }, undefined],
  ])("%s", (_, row, fields, expected) => {
    const found = heldVerdict(row, fields);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  it("count for the very answer that was judged", async () => {
    const row = { ...FREE, id: "4", response: "Paris", judge_score: 1 };
    const file = put("verdicts/judge_results_ff_model_judge_org_j.jsonl", `${JSON.stringify(row)}\n{"torn`);
    const held = await HeldVerdicts.read([dirname(file)], "org/j");
    expect(held.of({ id: "4", row: FREE, response: "Paris" })).toMatchObject({ score: 1 });
    expect(held.of({ id: "4", row: FREE, response: "paris" })).toBeUndefined();
    expect(held.of({ id: "5", row: FREE, response: "Paris" })).toBeUndefined();
    expect(held.of({ id: "4", row: FREE, response: "Paris" }, "Par")).toBeUndefined();
    put("verdicts/judge_results_mp_model_judge_k.jsonl", "");
    await expect(HeldVerdicts.read([dirname(file)], undefined)).rejects.toThrowError(/several judges: .*k/);
  });
});

describe("a log of rows", () => {
  it("cuts a torn line off, in bytes, and goes on behind the whole ones", async () => {
    const file = put("log.jsonl", '{"a":"ü"}\n{"a":"tor');
    const log = await RowLog.open(file);
    expect(log.rows).toEqual([{ a: "ü" }]);
    await Promise.all([log.append({ b: 1 }), log.append({ b: 2 })]);
    await log.close();
    expect(readFileSync(file, "utf8")).toBe('{"a":"ü"}\n{"b":1}\n{"b":2}\n');
  });

  it("names a line that is no row, and a place that cannot be written", async () => {
    await expect(RowLog.open(put("bad.jsonl", '{"a":1}\n7\n'))).rejects.toThrowError(
      /bad\.jsonl:2 is no row/,
    );
    await expect(RowLog.open(join(put("file", "x"), "log.jsonl"))).rejects.toThrowError(/cannot be written/);
  });
});

describe("parsers by name", () => {
  it("take a judge exactly where they ask one", async () => {
    await expect(openParser("extract", { judgeModel: "x" })).rejects.toThrowError(/asks no judge/);
    const parser = await openParser("judge");
    const answer = { id: "0", row: FREE, response: "Paris" };
    expect(await parser.parse(answer)).toEqual({ score: null, parsed: null, random: false });
    expect(String(parser.firstFailure)).toMatch(/no judge to ask/);
  });

  it("ask about equal answers to a question once, and keep what was said", async () => {
    let asked = 0;
    const judgeModel = async () => {
      asked++;
      return { text: "[[0.5]]" };
    };
    const parser = await openParser("judge", { judgeModel });
    const answers = ["0", "1"].map((id) => ({ id, row: FREE, response: "Lyon" }));
    const parsed = await Promise.all(answers.map((answer) => parser.parse(answer)));
    expect(parsed.map(({ score }) => score)).toEqual([0.5, 0.5]);
    expect(asked).toBe(1);
    expect(answers.map((answer) => parser.reply(answer))).toEqual(["[[0.5]]", "[[0.5]]"]);
    expect(parser.totals).toMatchObject({ calls: 1, kept: 1 });
    await parser.close();
  });
});

describe("a mean over rows that belong together", () => {
  it("takes each cluster as one observation", () => {
    const mean = new ClusteredMean();
    // Clusters sum to 2 of 2, 0 of 1, 0 of 1: residuals 1, -0.5, -0.5 about a mean of one half.
    for (const [cluster, value] of [
      ["a", 1],
      ["a", 1],
      ["b", 0],
      ["c", 0],
    ] as const)
      mean.add(cluster, value);
    expect(mean.mean).toBe(0.5);
    expect(mean.standardError).toBeCloseTo((Math.sqrt(1.5) / 4) * Math.sqrt(3 / 2), 12);
    expect(new ClusteredMean().mean).toBeNull();
  });
});

describe("the correlation of ranks", () => {
  it("is that of Spearman, equal values sharing a rank", () => {
    expect(rankCorrelation([1, 2, 3], [10, 20, 30])).toBeCloseTo(1, 12);
    expect(rankCorrelation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
    // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
    expect(rankCorrelation([1, 2, 2, 9], [1, 2, 3, 4])).toBeCloseTo(Math.sqrt(0.9), 12);
    expect(rankCorrelation([1, 1], [1, 2])).toBeNull();
    expect(rankCorrelation([], [])).toBeNull();
    expect(() => rankCorrelation([1], [])).toThrowError(/in pairs/);
  });
});
