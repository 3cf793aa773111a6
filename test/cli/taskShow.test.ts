import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("task-show");
const rows = ["a", "b", "c"].map((name) => ({ goal: name, sol1: `${name}1`, sol2: `${name}2`, label: 1 }));

beforeAll(() => {
  const place = join(folder, "data", "gimmaru__piqa", "default");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "validation.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
});

const show = (task: string, ...words: string[]) =>
  commandHere("task", "show", task, "--data-dir", join(folder, "data"), ...words);

describe("task show", () => {
  it("prints the exact requests of the first document as JSON", async () => {
    const { status, stdout, stderr } = await show("harness:piqa", "--json");
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual([
      {
        doc: 0,
        kind: "loglikelihood",
        prompts: ["Question: a\nAnswer:"],
        continuations: [" a1", " a2"],
        gold: 1,
        fewshot: [],
        stop: [],
        max_new_tokens: null,
      },
    ]);
  });

  it("shows all documents or chosen rows, in the order of evaluation", async () => {
    const docs = async (...words: string[]) =>
      (JSON.parse((await show("piqa_hf", ...words, "--json")).stdout) as { doc: number }[]).map(
        ({ doc }) => doc,
      );
    const all = await docs("--docs", "all");
    expect(all.toSorted()).toEqual([0, 1, 2]);
    expect(all).not.toEqual([0, 1, 2]);
    expect(await docs("--docs", "2,0")).toEqual(all.filter((doc) => doc !== 1));
    expect(await docs("--docs", "all", "--limit", "2")).toEqual(all.slice(0, 2));
  });

  it("takes shots from the option before the name", async () => {
    const [one] = JSON.parse((await show("piqa_hf|2", "--shots", "1", "--json")).stdout) as {
      fewshot: number[];
    }[];
    expect(one!.fewshot).toHaveLength(1);
  });

  it("prints prompts as they stand for people", async () => {
    const { stdout } = await show("piqa_hf", "--docs", "1");
    expect(stdout).toContain("== row 1 | generate | gold 1 | at most 1 tokens, stop");
    expect(stdout).toContain("Question: b\nA. b1\nB. b2\nAnswer:\n");
  });

  it.each([
    [["piqa_hf", "--docs", "7"], "DATA_INVALID"],
    [["piqa_hf", "--docs", "x"], "USAGE"],
    [["piqa_hf", "--shots", "-1"], "USAGE"],
    [["piqa_hf", "--limit", "1.5"], "USAGE"],
    [["no_such"], "NAME_UNKNOWN"],
    [["a||"], "NAME_INVALID"],
    [["hellaswag"], "INPUT_UNREADABLE"],
  ])("ends with status 2 for %j", async ([task, ...words], code) => {
    const { status, stderr, stdout } = await show(task!, ...words);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error [${code}]`);
  });
});

it("list tasks names tasks and groups with their dialects", async () => {
  const { stdout } = await commandHere("list", "tasks", "--json");
  const names = (JSON.parse(stdout) as { name: string; description: string }[]).map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(
    expect.arrayContaining([
      "lighteval:piqa",
      "harness:mmlu",
      "harness:arc_easy@v0",
      "core:copa",
      "core:core",
    ]),
  );
});
