import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { RunningMean } from "../../src/scoring/aggregation/runningMean.js";
import {
  checkInstructions,
  IfevalAccuracies,
  INSTRUCTION_IDS,
  type InstructionVerdicts,
} from "../../src/scoring/ifeval/index.js";
import { detectLanguages } from "../../src/scoring/languages/index.js";
import { countMatches, isLower, isUpper, pythonPattern } from "../../src/scoring/python/index.js";
import { splitSentences, wordTokens } from "../../src/scoring/sentences/index.js";

const benchmarks = join(process.env.PARITY_DATA!, "benchmarks");

interface Prompt {
  key: number;
  prompt: string;
  instruction_id_list: string[];
  kwargs: Record<string, unknown>[];
}
/** Two thirds of the answers carry verdicts; the totals published for all of them are below. */
interface Answer {
  key: number;
  response: string;
  strict?: boolean[];
  loose?: boolean[];
  unstable_strict?: number[];
  unstable_loose?: number[];
}
interface EdgeCase {
  id: string;
  kwargs: Record<string, unknown>;
  response: string;
  strict: boolean;
  loose: boolean;
}
interface Counts {
  model: Model;
  key: number;
  words: number;
  sentences: number;
  nltk_tokens: number;
  capital_words: number;
  isupper: boolean;
  islower: boolean;
}
interface Detected {
  model: Model;
  key: number;
  seed0: [string, number][] | null;
}
type Model = "gpt4" | "llama31_8b";

const prompts = new Map(lines<Prompt>("input_data.jsonl").map((row) => [row.key, row]));
const answers: Record<Model, Answer[]> = {
  gpt4: lines("oracle_gpt4.jsonl.gz"),
  llama31_8b: lines("oracle_llama31_8b.jsonl.gz"),
};
const verdicts = {
  gpt4: new Map(answers.gpt4.map((row) => [row.key, judged(row)])),
  llama31_8b: new Map(answers.llama31_8b.map((row) => [row.key, judged(row)])),
};

const PUBLISHED = {
  gpt4: { rows: 540, instructions: 832, strict: [417, 697], loose: [430, 712], unstable: [1122, 1129] },
  llama31_8b: {
    rows: 541,
    instructions: 834,
    strict: [385, 663],
    loose: [407, 694],
    unstable: [279, 1122, 1129, 1813, 3617],
  },
};

describe.each(["gpt4", "llama31_8b"] as const)("the answers of %s", (model) => {
  const published = PUBLISHED[model];

  it("get every published verdict that does not hang on a draw", () => {
    const differing: unknown[] = [];
    let compared = 0;
    for (const row of answers[model]) {
      const mine = verdicts[model].get(row.key)!;
      for (const kind of ["strict", "loose"] as const) {
        for (const [index, verdict] of (row[kind] ?? []).entries()) {
          if (row[`unstable_${kind}`]?.includes(index)) continue;
          compared++;
          if (mine[kind][index] !== verdict) differing.push({ key: row.key, kind, index, verdict });
        }
      }
    }
    expect(differing).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });

  it("have unstable verdicts where the published ones need the right draw, and nowhere else", () => {
    const unstable = [...verdicts[model]].filter(([, mine]) => mine.unstable.length > 0).map(([key]) => key);
    expect(unstable.sort((one, other) => one - other)).toEqual(published.unstable);
    for (const row of answers[model]) {
      const marked = new Set([...(row.unstable_strict ?? []), ...(row.unstable_loose ?? [])]);
      if (marked.size > 0) expect(verdicts[model].get(row.key)!.unstable).toEqual([...marked]);
    }
  });

  it("reach the published totals, unstable positions aside", () => {
    const accuracies = new IfevalAccuracies();
    const agreeing = { strict: [0, 0], loose: [0, 0] };
    let instructions = 0;
    for (const [key, mine] of verdicts[model]) {
      accuracies.add({ instructionIdList: prompts.get(key)!.instruction_id_list, ...mine });
      instructions += mine.strict.length;
      for (const kind of ["strict", "loose"] as const) {
        agreeing[kind][0]! += Number(mine[kind].every(Boolean));
        agreeing[kind][1]! += mine[kind].filter(Boolean).length;
      }
    }
    expect([verdicts[model].size, instructions]).toEqual([published.rows, published.instructions]);
    for (const kind of ["strict", "loose"] as const) {
      for (const level of [0, 1]) {
        const distance = Math.abs(agreeing[kind][level]! - published[kind][level]!);
        expect(distance).toBeLessThanOrEqual(published.unstable.length);
      }
    }
    const metrics = accuracies.metrics();
    expect(metrics.prompt_level_strict_acc).toBe(agreeing.strict[0]! / published.rows);
    expect(metrics.inst_level_loose_acc).toBe(agreeing.loose[1]! / published.instructions);
    const p = metrics.prompt_level_strict_acc!;
    expect(metrics.prompt_level_strict_acc_stderr).toBeCloseTo(
      Math.sqrt((p * (1 - p)) / (published.rows - 1)),
      12,
    );
  });

  it("get the same verdicts when absent arguments come as null, as the data set of the hub has them", () => {
    const names = [...new Set([...prompts.values()].flatMap(({ kwargs }) => kwargs.flatMap(Object.keys)))];
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    for (const row of answers[model].slice(0, 60)) {
      const { prompt, instruction_id_list: instructionIdList, kwargs } = prompts.get(row.key)!;
      const padded = kwargs.map((given) => ({ ...nulls, ...given }));
      const mine = checkInstructions({ prompt, instructionIdList, kwargs: padded, response: row.response });
      expect(mine).toEqual(verdicts[model].get(row.key));
    }
  });
});

it("GPT-4 reaches its totals exactly once the published draws are put in", () => {
  const totals = { strict: [0, 0], loose: [0, 0] };
  for (const row of answers.gpt4) {
    for (const kind of ["strict", "loose"] as const) {
      const drawn = row[`unstable_${kind}`] ?? [];
      const mine = verdicts.gpt4
        .get(row.key)!
        [kind].map((verdict, index) => (drawn.includes(index) ? row[kind]![index]! : verdict));
      totals[kind][0]! += Number(mine.every(Boolean));
      totals[kind][1]! += mine.filter(Boolean).length;
    }
  }
  expect(totals).toEqual({ strict: PUBLISHED.gpt4.strict, loose: PUBLISHED.gpt4.loose });
});

it("every edge case gets its verdicts, and they cover all 25 instructions", () => {
  const rows = lines<EdgeCase>("edge_cases.jsonl");
  const differing = rows.filter((row) => {
    const { strict, loose } = checkInstructions({
      instructionIdList: [row.id],
      kwargs: [row.kwargs],
      response: row.response,
    });
    return strict[0] !== row.strict || loose[0] !== row.loose;
  });
  expect(differing).toEqual([]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(INSTRUCTION_IDS.length);
});

it("every instruction of the data set is known, and no other", () => {
  const used = new Set([...prompts.values()].flatMap((row) => row.instruction_id_list));
  expect([...used].sort()).toEqual([...INSTRUCTION_IDS].sort());
});

it("words, sentences, tokens and capitals are counted as NLTK and Python count them", () => {
  const word = pythonPattern("\\w+");
  const rows = lines<Counts>("tokens_oracle.jsonl.gz");
  expect(rows.length).toBe(1081);
  for (const row of rows) {
    const text = responseTo(row.model, row.key);
    const tokens = wordTokens(text);
    expect({
      model: row.model,
      key: row.key,
      words: countMatches(text, word),
      sentences: splitSentences(text).length,
      nltk_tokens: tokens.length,
      capital_words: tokens.filter(isUpper).length,
      isupper: isUpper(text),
      islower: isLower(text),
    }).toEqual(row);
  }
});

it("languages are detected with langdetect's probabilities, to six places", () => {
  const rows = lines<Detected>("langdetect_seed0.jsonl");
  expect(rows.length).toBe(190);
  for (const row of rows) {
    const mine = detectLanguages(responseTo(row.model, row.key)) ?? null;
    expect(mine?.map(({ language }) => language)).toEqual(row.seed0?.map(([language]) => language));
    for (const [index, [, probability]] of (row.seed0 ?? []).entries()) {
      expect(Math.abs(mine![index]!.probability - probability)).toBeLessThanOrEqual(1e-6);
    }
  }
});

it("standard errors are the stored ones", () => {
  const text = readFileSync(join(benchmarks, "golden", "stderr_vectors.json"), "utf8");
  const stored = JSON.parse(text) as { mean_stderr: { x: number[]; mean: number; stderr: number }[] };
  for (const { x, mean, stderr } of stored.mean_stderr) {
    const running = new RunningMean();
    for (const value of x) running.add(value);
    expect(running.mean).toBeCloseTo(mean, 15);
    expect(running.standardError).toBeCloseTo(stderr, 15);
  }
});

function judged({ key, response }: Answer): InstructionVerdicts {
  const { prompt, instruction_id_list: instructionIdList, kwargs } = prompts.get(key)!;
  return checkInstructions({ prompt, instructionIdList, kwargs, response });
}

function responseTo(model: Model, key: number): string {
  return answers[model].find((row) => row.key === key)!.response;
}

function lines<T>(name: string): T[] {
  const bytes = readFileSync(join(benchmarks, "ifeval", name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}
