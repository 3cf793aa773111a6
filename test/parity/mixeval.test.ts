import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareCodePoints } from "../../src/base/index.js";
import {
  constructPrompt,
  FIVE_SHOT_PREFIX_FREEFORM,
  FIVE_SHOT_PREFIX_MULTIPLECHOICE,
  judgeMessages,
  type MixEvalResponse,
  MixEvalScores,
  questionKey,
  type ResponseParser,
  rankCorrelation,
  readQuestions,
  readResponses,
  responseParser,
} from "../../src/scoring/index.js";

const folder = join(process.env.PARITY_DATA!, "mixeval");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const lines = <T>(name: string) =>
  read(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

/** The original rounds its means to three places. */
const ROUNDED = 0.0005 + 1e-12;
const ANSWERS = "model_responses/gemma_11_7b_instruct";
const PARTS = [
  ["mixeval", "freeform", ""],
  ["mixeval", "multichoice", ""],
  ["mixeval_hard", "freeform", "_hard"],
  ["mixeval_hard", "multichoice", "_hard"],
] as const;
const fileOf = ([benchmark, kind, end]: Part) =>
  `${ANSWERS}/${benchmark}/2024-06-01/gemma_11_7b_instruct_close_${kind}${end}.jsonl`;

interface Golden {
  readonly id: string;
  readonly parsed_numbers: number[];
  readonly n_strings: number;
  readonly parsed_strings_sha1: string;
  readonly parsed_result: string | null;
  readonly eval_result: boolean | null;
}

interface Summary {
  readonly [benchmark: string]: {
    readonly [kind in "freeform" | "multichoice"]: {
      readonly scores: Record<string, number>;
      readonly counts: Record<string, number>;
      readonly random_fallback_rows?: number;
    };
  } & { readonly combined: Record<string, number> };
}

type Part = readonly [benchmark: string, kind: "freeform" | "multichoice", end: string];

async function answersOf(part: Part): Promise<readonly MixEvalResponse[]> {
  const [read] = await readResponses([join(folder, fileOf(part))]);
  return read!.answers;
}

/** Scores of one file's answers, and how many of them the original would draw by chance. */
async function scoresOf(answers: readonly MixEvalResponse[], parser: ResponseParser) {
  const scores = new MixEvalScores();
  let draws = 0;
  let unparsed = 0;
  for (const answer of answers) {
    const { score, random, parsed } = await parser(answer);
    if (random) draws++;
    if (parsed === null) unparsed++;
    scores.add(answer.row, score);
  }
  return { scores, draws, unparsed };
}

describe("MixEval's prompts", () => {
  it.each(PARTS)("are those that were sent: %s, %s", async (...part) => {
    const answers = await answersOf(part);
    const sent = new Map(
      lines<{ id: string; formated_input: string }>(fileOf(part)).map((row) => [row.id, row.formated_input]),
    );
    expect(answers.length).toBe(part[0] === "mixeval" ? 2000 : 500);
    for (const { id, row } of answers) expect(constructPrompt(row)).toBe(sent.get(id));
  });

  it("has the five-shot prefixes and the conversations of the judge to the character", () => {
    const given = JSON.parse(read("prompts.json"));
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    expect(FIVE_SHOT_PREFIX_FREEFORM).toHaveLength(3468);
    expect(FIVE_SHOT_PREFIX_MULTIPLECHOICE).toHaveLength(2114);
    expect(sha256(FIVE_SHOT_PREFIX_FREEFORM)).toBe(given.sha256.five_shot_prefix_freeform);
    expect(sha256(FIVE_SHOT_PREFIX_MULTIPLECHOICE)).toBe(given.sha256.five_shot_prefix_multiplechoice);

    const question = { context: "not shown", prompt: "P {{response}}", benchmark_name: "TriviaQA" };
    const filled = (messages: { role: string; content: string }[], slots: Record<string, string>) =>
      messages.map(({ role, content }) => ({
        role,
        content: Object.entries(slots).reduce(
          (text, [slot, value]) => text.replace(`{{${slot}}}`, () => value),
          content,
        ),
      }));
    expect(
      judgeMessages({ ...question, problem_type: "free-form", target: ["x", "y"] }, "R {{prompt}}"),
    ).toEqual(
      filled(given.judge_freeform_messages, {
        gold_ans: "<answer 1> x; <answer 2> y",
        response: "R {{prompt}}",
        prompt: "P {{response}}",
      }),
    );
    expect(
      judgeMessages(
        { ...question, problem_type: "multiple-choice", target: [1], options: ["one", "two"] },
        "R",
      ),
    ).toEqual(
      filled(given.judge_multiplechoice_messages, {
        response: "R",
        options: "A. one\nB. two",
        prompt: "P {{response}}",
      }),
    );
  });
});

describe("MixEval's rule-based parser", () => {
  const summary = JSON.parse(read("rule_parser_golden/summary.json")) as Summary;

  it.each(PARTS)("decides every stored answer as the original: %s, %s", async (...part) => {
    const [benchmark, kind] = part;
    const golden = new Map(
      lines<Golden>(`rule_parser_golden/gemma_11_7b_instruct_${benchmark}_${kind}.jsonl`).map((row) => [
        row.id,
        row,
      ]),
    );
    const parser = responseParser("rule");
    let compared = 0;
    for (const answer of await answersOf(part)) {
      const wanted = golden.get(answer.id);
      if (wanted === undefined) continue;
      compared++;
      const { parsed, score, random } = await parser(answer);
      if (kind === "multichoice") {
        expect({ parsed, random }).toEqual({
          parsed: wanted.parsed_result,
          random: wanted.eval_result === null,
        });
      } else {
        const { numbers, strings } = parsed as { numbers: number[]; strings: string[] };
        const told = [...strings].sort(compareCodePoints).join("\0");
        expect([...numbers].sort((a, b) => a - b)).toEqual(wanted.parsed_numbers);
        expect(createHash("sha1").update(told).digest("hex").slice(0, 16)).toBe(wanted.parsed_strings_sha1);
      }
      expect(score === 1).toBe(wanted.eval_result ?? false);
    }
    expect(compared).toBe(golden.size);
  });

  it.each(PARTS)("reaches the original's means over all rows: %s, %s", async (...part) => {
    const [benchmark, kind] = part;
    const wanted = summary[benchmark]![kind];
    const { scores, draws } = await scoresOf(await answersOf(part), responseParser("rule"));
    expect(Math.abs(scores.overall! - wanted.scores.overall!)).toBeLessThanOrEqual(ROUNDED);
    expect(draws).toBe(wanted.random_fallback_rows ?? 0);
    for (const [name, { score, n }] of scores.benchmarks) {
      expect(n, name).toBe(wanted.counts[name]);
      expect(Math.abs(score! - wanted.scores[name]!), name).toBeLessThanOrEqual(ROUNDED);
    }
  });

  it("weighs both files together by rows, in whatever order the lines are", async () => {
    for (const [benchmark, overall] of [
      ["mixeval", 0.5205],
      ["mixeval_hard", 0.268],
    ] as const) {
      const answers = (await Promise.all(PARTS.filter(([name]) => name === benchmark).map(answersOf))).flat();
      const straight = (await scoresOf(answers, responseParser("rule"))).scores;
      const turned = (await scoresOf([...answers].reverse(), responseParser("rule"))).scores;
      expect(Math.abs(straight.overall! - overall)).toBeLessThanOrEqual(ROUNDED);
      expect(turned.overall).toBe(straight.overall);
      expect(turned.benchmarks).toEqual(straight.benchmarks);
      for (const [name, value] of Object.entries(summary[benchmark]!.combined)) {
        if (name === "overall") continue;
        expect(Math.abs(straight.benchmarks.get(name)!.score! - value), name).toBeLessThanOrEqual(ROUNDED);
      }
    }
  });
});

describe("the extracting parser", () => {
  it("comes near the judge's means on choices, and leaves at most half a percent unread", async () => {
    const { scores, unparsed } = await scoresOf(await answersOf(PARTS[1]), responseParser("extract"));
    expect(unparsed / 2000).toBeLessThanOrEqual(0.005);
    expect(Math.abs(scores.benchmarks.get("MMLU")!.score! - 0.669)).toBeLessThanOrEqual(0.01);
    expect(Math.abs(scores.benchmarks.get("HellaSwag")!.score! - 0.663)).toBeLessThanOrEqual(0.01);
  });
});

describe("the published leaderboard", () => {
  it.each([
    ["MixEval", 0.92],
    ["MixEval-Hard", 0.97],
  ])("ranks chat models as people do: %s", (benchmark, wanted) => {
    const [header, ...rows] = read("leaderboard_chat.csv")
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    const [score, elo] = [benchmark, "Arena Elo"].map((name) =>
      header!.findIndex((column) => column.startsWith(name) && (name !== "MixEval" || column === "MixEval")),
    );
    const rated = rows.filter((row) => row[elo!] !== "" && row[score!] !== "");
    expect(rated).toHaveLength(33);
    const rho = rankCorrelation(
      rated.map((row) => Number(row[score!])),
      rated.map((row) => Number(row[elo!])),
    );
    expect(rho).toBeCloseTo(wanted, 3);
  });
});

describe("the release of 2024-08-11", () => {
  it.each([
    ["mixeval", [2000, 1448], [1995, 1741]],
    ["mixeval-hard", [500, 380], [500, 443]],
  ] as const)("has its rows, and as many different questions: %s", async (name, freeForm, choices) => {
    const files = await readQuestions(join(folder, "mixeval-2024-08-11", name));
    const counts = files.map(({ rows }) => [rows.size, new Set([...rows.values()].map(questionKey)).size]);
    expect(counts).toEqual([[...freeForm], [...choices]]);
  });
});
