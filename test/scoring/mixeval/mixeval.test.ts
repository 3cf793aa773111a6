import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PythonRandom } from "../../../src/base/index.js";
import {
  type AskJudge,
  baseResponse,
  constructPromptFreeform,
  constructPromptMultichoice,
  judgedOption,
  judgedScore,
  judgeParser,
  type MixEvalRow,
  MixEvalScores,
  mixEvalRowSchema,
  parsers,
  readResponses,
  responseParser,
} from "../../../src/scoring/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

const folder = temporaryFolder("mixeval");
const file = (name: string, content: string) => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
};

const FREE = mixEvalRowSchema.parse({
  problem_type: "free-form",
  context: null,
  prompt: "capital of France?",
  target: ["Paris"],
  benchmark_name: "TriviaQA",
});
const CHOICE = mixEvalRowSchema.parse({
  problem_type: "single-choice",
  context: "Two cats.",
  prompt: "How many?",
  options: ["one", "two"],
  target: [1],
  benchmark_name: "MMLU",
});

describe("prompts", () => {
  it("has the context in front, unless it is absent, blank or called none", () => {
    expect(constructPromptMultichoice(CHOICE)).toBe(
      "Two cats.\nHow many?\nA. one\nB. two\nAnswer with the option letter from the given choices directly.",
    );
    for (const context of [null, undefined, "", "  ", "None", "NULL"]) {
      expect(constructPromptFreeform({ ...FREE, context })).toBe(
        "Question: capital of France?\nAnswer the question shortly.",
      );
    }
  });

  it("asks for steps where the benchmark is solved by them, and refuses QuAC", () => {
    expect(constructPromptFreeform({ ...FREE, benchmark_name: "MATH" })).toMatch(
      /\nAnswer the question\. \nLet's think step by step\.$/,
    );
    expect(() => constructPromptFreeform({ ...FREE, benchmark_name: "QuAc" })).toThrow(/QuAc/);
  });
});

describe("rows", () => {
  it("takes a lone target for a list of one, and refuses one that is no option", () => {
    expect(mixEvalRowSchema.parse({ ...CHOICE, target: 1 }).target).toEqual([1]);
    expect(mixEvalRowSchema.safeParse({ ...CHOICE, target: [2] }).success).toBe(false);
    expect(mixEvalRowSchema.safeParse({ ...CHOICE, options: undefined }).success).toBe(false);
  });
});

describe("the rule-based parser", () => {
  const letter = async (response: string, row: MixEvalRow = CHOICE) =>
    await responseParser("rule")({ id: "0", row, response });

  it("counts no point where the original draws, and marks the row", async () => {
    expect(await letter("**B**")).toEqual({ score: 0, parsed: null, random: true });
    expect(await letter("B.")).toEqual({ score: 1, parsed: "B", random: false });
  });

  it("draws as Python's random.seed(42) would, when asked to", async () => {
    const parser = responseParser("rule", { randomDraws: true });
    const python = new PythonRandom(42);
    for (let draw = 0; draw < 5; draw++) {
      const { parsed, random } = await parser({ id: "0", row: CHOICE, response: "" });
      expect({ parsed, random }).toEqual({ parsed: python.choice(["A", "B"]), random: true });
    }
  });

  it("finds an option's text only in answers of more than five words", async () => {
    expect((await letter("there are surely two of them")).parsed).toBe("B");
    expect((await letter("surely two of them")).parsed).toBe(null);
  });

  it("keeps the shortest tail behind its words, and rounds numbers to even hundredths", async () => {
    const read = async (response: string, target: string) =>
      (await letter(response, { ...FREE, target: [target] })).score;
    expect(await read("The capital is Paris", "paris")).toBe(1);
    expect(await read("so it is 0.125", "0.12")).toBe(1);
    expect(await read("so it is 0.135", "0.14")).toBe(1);
    expect(await read("It is 1,234,567.", "1234567")).toBe(1);
    expect(await read("nan", "nan")).toBe(0);
  });
});

describe("a parser of the user's own", () => {
  it("reads letters, and of free-form answers what is compared", async () => {
    parsers.register("last_word", {
      name: "last_word",
      description: "",
      parse: (text) => text.split(" ").at(-1) ?? null,
    });
    const parser = responseParser("last_word");
    expect(await parser({ id: "0", row: CHOICE, response: "not A but B" })).toMatchObject({
      score: 1,
      parsed: "B",
    });
    expect(await parser({ id: "0", row: FREE, response: "Paris or London" })).toMatchObject({ score: 0 });
    expect(() => responseParser("lastword")).toThrow(/last_word/);
    parsers.unregister("last_word");
  });
});

describe("the judge", () => {
  const judged = (replies: readonly (string | Error)[], row: MixEvalRow) => {
    const asked: { seed: number; temperature: number }[] = [];
    const ask: AskJudge = async (_, options) => {
      const reply = replies[asked.length] ?? replies.at(-1)!;
      asked.push(options);
      if (reply instanceof Error) throw reply;
      return { text: reply };
    };
    return {
      asked,
      result: Promise.resolve(judgeParser(ask, { attempts: 3 })({ id: "0", row, response: "Lyon" })),
    };
  };

  it("grades with part of a point, in double or single brackets", async () => {
    expect(judgedScore("good. The correctness score: [[0.5]].")).toBe(0.5);
    expect(judgedScore("[0.3]")).toBe(0.3);
    expect(judgedScore("[[1.5]]")).toBe(null);
    expect(judgedScore("no")).toBe(null);
    expect(judgedOption("[[B]]", ["A", "B"])).toBe("B");
    expect(judgedOption("[C]", ["A", "B"])).toBe(null);
    expect(await judged(["[[0.5]]"], FREE).result).toMatchObject({ score: 0.5, random: false });
  });

  it("asks again with another seed, and leaves the row without a score in the end", async () => {
    const second = judged(["no idea", "[[B]]"], CHOICE);
    expect(await second.result).toEqual({ score: 1, parsed: "B", random: false });
    expect(second.asked.map(({ seed }) => seed)).toEqual([0, 1]);

    const never = judged(["no idea"], CHOICE);
    expect(await never.result).toEqual({ score: null, parsed: null, random: false });
    expect(never.asked).toHaveLength(3);
  });

  it("does not ask a model again that cannot be asked", async () => {
    const broken = judged([new Error("refused")], FREE);
    expect(await broken.result).toMatchObject({ score: null });
    expect(broken.asked).toHaveLength(1);
  });
});

describe("answers of base models", () => {
  it("ends before the model's own next question, unless nothing else is there", () => {
    expect(baseResponse(CHOICE, "B\n\nWhich one?\nA. x")).toBe("B");
    expect(baseResponse(FREE, "Paris\n\n\nQuestion: next")).toBe("Paris");
    expect(baseResponse(CHOICE, "\n\nB")).toBe("\n\nB");
  });
});

describe("files of answers", () => {
  it("reads lines, an array, and answers whose questions stand elsewhere", async () => {
    const whole = { ...FREE, id: "7", response: "Paris", formated_input: "..." };
    const lines = file("m/mixeval/m_close_freeform.jsonl", `${JSON.stringify(whole)}\n`);
    const array = file("array.json", JSON.stringify([whole]));
    file("m/mixeval/judge_results_ff_rule.jsonl", "{}\n");
    for (const path of [lines, array, join(folder, "m")]) {
      const [read] = await readResponses([path]);
      expect(read!.answers).toMatchObject([
        { id: "7", row: expect.objectContaining({ prompt: FREE.prompt }), response: "Paris" },
      ]);
    }
    const bare = file("own_freeform.jsonl", '{"id":7,"response":"Rome"}\n');
    const questions = [
      { file: "ff", rows: new Map([["7", FREE]]) },
      { file: "mc", rows: new Map([["7", CHOICE]]) },
    ];
    const [joined] = await readResponses([bare], questions);
    expect(joined!.answers).toMatchObject([{ id: "7", row: FREE, response: "Rome" }]);
  });

  it("names file and row of what does not fit", async () => {
    const cases: [string, string, RegExp][] = [
      [
        "twice.jsonl",
        `${JSON.stringify({ ...FREE, id: 1, response: "x" })}\n{"id":1}\n`,
        /twice\.jsonl:2 has the id 1/,
      ],
      ["bare.jsonl", '{"id":1,"response":"x"}\n', /bare\.jsonl:1 has no question.*--data/],
      ["none.jsonl", `${JSON.stringify({ ...FREE, id: 1 })}\n`, /none\.jsonl:1 has no response/],
      [
        "odd.jsonl",
        `${JSON.stringify({ ...CHOICE, target: [9], response: "A" })}\n`,
        /odd\.jsonl:1.*target.*0 to 1/,
      ],
    ];
    for (const [name, content, message] of cases) {
      await expect(readResponses([file(name, content)])).rejects.toThrow(message);
    }
    await expect(readResponses([join(folder, "absent.jsonl")])).rejects.toThrow(
      /absent\.jsonl is neither a file nor a folder/,
    );
    mkdirSync(join(folder, "empty"), { recursive: true });
    await expect(readResponses([join(folder, "empty")])).rejects.toThrow(/freeform/);
  });
});

describe("scores", () => {
  it("means rows, not files: 3 of 4 and 0 of 1 are 0.6", () => {
    const scores = new MixEvalScores();
    for (const score of [1, 1, 1, 0]) scores.add(FREE, score);
    scores.add(CHOICE, 0);
    scores.add(CHOICE, null);
    expect(scores.overall).toBeCloseTo(0.6, 12);
    expect(scores.benchmarks).toEqual(
      new Map([
        ["MMLU", { score: 0, n: 1 }],
        ["TriviaQA", { score: 0.75, n: 4 }],
      ]),
    );
    expect([scores.count, scores.unjudged, scores.distinct]).toEqual([5, 1, 2]);
    // Clusters of 4 rows (sum 3) and 1 row (sum 0): deviations 3 - 2.4 and 0 - 0.6, sqrt(0.72) / 5 * sqrt(2).
    expect(scores.standardError).toBeCloseTo(0.24, 12);
  });

  it("is the same in whatever order rows come", () => {
    const rows = [FREE, CHOICE, { ...FREE, benchmark_name: "DROP" }];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 0, max: 10 }))), (list) => {
        const [one, other] = [new MixEvalScores(), new MixEvalScores()];
        for (const [place, tenths] of list) one.add(rows[place]!, tenths / 8);
        for (const [place, tenths] of [...list].reverse()) other.add(rows[place]!, tenths / 8);
        expect(other.overall).toBe(one.overall);
        expect(other.benchmarks).toEqual(one.benchmarks);
      }),
    );
  });

  it("has none for no rows", () => {
    const scores = new MixEvalScores();
    expect([scores.overall, scores.standardError, scores.benchmarks.size]).toEqual([null, null, 0]);
  });
});
