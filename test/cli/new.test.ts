import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elenchus, startNode } from "../support/commandLine.js";
import { userProject } from "../support/project.js";
import { smallConfig } from "../support/smallConfig.js";

// One that says nothing of modules, as many do.
const project = userProject("new", { name: "mine" });
const { folder } = project;
const generatedTest = (file: string) =>
  startNode(["--import", import.meta.resolve("tsx"), "--test", file], folder).finished;

describe("new evaluator", () => {
  it("writes a file, its test and its page, which work as they are", async () => {
    const { status, stdout } = await elenchus(["new", "evaluator", "test_error"], folder);
    expect(status).toBe(0);
    for (const ending of ["ts", "test.ts", "md"]) expect(stdout).toContain(`evaluators/test_error.${ending}`);
    const page = readFileSync(join(folder, "evaluators/test_error.md"), "utf8");
    expect(page).toContain("docs/evaluators.md");
    const table = page.split("\n").filter((line) => /^ {4}(\[evaluation\]|type =)/.test(line));
    project.write("new.toml", smallConfig(table.map((line) => `${line.trim()}\n`).join(""), { rounds: 1 }));

    const words = ["run", "new.toml", "--json", "--import", "evaluators/test_error.ts"];
    const [tested, ran] = [
      await generatedTest("evaluators/test_error.test.ts"),
      await elenchus(words, folder),
    ];
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
    expect(tested.stdout).toMatch(/pass 1/);
    expect(ran.status, ran.stderr).toBe(0);
    const { last_row: row } = JSON.parse(ran.stdout);
    expect(row).toMatchObject({ evaluation_status: "ok", evaluation_examples: 360 });
    expect(row.evaluation_error).toBeCloseTo(1 - row.accuracy, 12);
    expect(row.evaluation_primary_value).toBe(row.evaluation_error);
  }, 60_000);

  it("overwrites nothing", async () => {
    project.write("evaluators/mine.test.ts", "// mine\n");
    const { status, stderr } = await elenchus(["new", "evaluator", "mine"], folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(/mine\.test\.ts exists already/);
    expect(readFileSync(join(folder, "evaluators/mine.test.ts"), "utf8")).toBe("// mine\n");
    expect(() => readFileSync(join(folder, "evaluators/mine.ts"))).toThrow("ENOENT");
  });

  it("names its files in --json", async () => {
    const { stdout } = await elenchus(["new", "evaluator", "other", "--json"], folder);
    expect(JSON.parse(stdout)).toEqual({
      files: ["evaluators/other.ts", "evaluators/other.test.ts", "evaluators/other.md"],
    });
  });
});

describe("new task", () => {
  it("writes one that asks, with and without examples", async () => {
    const { status, stdout } = await elenchus(["new", "task", "capital_cities"], folder);
    expect([status, stdout]).toEqual([0, expect.stringContaining("docs/tasks.md")]);
    const words = ["task", "show", "capital_cities", "--docs", "all", "--shots", "1", "--json"];
    const [tested, shown] = [
      await generatedTest("tasks/capital_cities.test.ts"),
      await elenchus([...words, "--import", "tasks/capital_cities.ts"], folder),
    ];
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
    expect(tested.stdout).toMatch(/pass 1/);
    expect(shown.status, shown.stderr).toBe(0);
    expect(JSON.parse(shown.stdout)).toHaveLength(3);
  });

  it("takes no name of a built-in task", async () => {
    const { status, stderr } = await elenchus(["new", "task", "hellaswag"], folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining("NAME_TAKEN")]);
  });
});

describe("new datasource", () => {
  it("writes one that a model can learn", async () => {
    const { status } = await elenchus(["new", "datasource", "two_clouds"], folder);
    expect(status).toBe(0);
    const clouds = smallConfig("", { rounds: 6 }).replace('"digits"', '"two_clouds"');
    project.write("clouds.toml", clouds);
    const words = ["run", "clouds.toml", "--json", "--import", "datasources/two_clouds.ts"];
    const [tested, ran] = [
      await generatedTest("datasources/two_clouds.test.ts"),
      await elenchus(words, folder),
    ];
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
    expect(ran.status, ran.stderr).toBe(0);
    // The clouds are 2 standard deviations apart in each of two directions: at best 0.92 can be told apart.
    expect(JSON.parse(ran.stdout).last_row.accuracy).toBeGreaterThan(0.85);
  }, 60_000);
});
