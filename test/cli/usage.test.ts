import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMAND, elenchus, startNode } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("usage");
const COMMANDS = [
  "run",
  "server",
  "client",
  "check",
  "evaluate",
  "export",
  "score",
  "worker",
  "results",
  "list",
  "new",
  "schema",
  "task",
  "mixeval",
  "serve",
  "dataset",
  "eval",
];

describe("--help", () => {
  it("names every command", async () => {
    const { status, stdout, stderr } = await elenchus(["--help"], folder);
    expect([status, stderr]).toEqual([0, ""]);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  });

  it.each(COMMANDS)("is there for %s, with the options that all share", async (command) => {
    const { status, stdout, stderr } = await elenchus([command, "--help"], folder);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^Usage: elenchus ${command}\\b`));
    for (const option of [
      "--import",
      "--base",
      "--run-id",
      "--resume",
      "--set",
      "--seed",
      "--log",
      "--lenient",
    ]) {
      expect(stdout).toContain(option);
    }
  });

  it("is what bare `elenchus` says, as bad usage", async () => {
    const { status, stdout, stderr } = await elenchus([], folder);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Usage: elenchus");
  });
});

it("dataset create names a file that is not there before it asks a service", async () => {
  const { status, stderr } = await elenchus(["dataset", "create", "x", "--file", "nowhere.csv"], folder);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^error \[INPUT_UNREADABLE\]: nowhere\.csv cannot be read: ENOENT\b/);
});

it("--version prints the package's", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await elenchus(["--version"], folder)).toMatchObject({ status: 0, stdout: `${version}\n` });
});

describe("a command line that cannot be understood", () => {
  it.each<[words: string[], message: RegExp]>([
    [["chek", "a.toml"], /unknown command 'chek'\s+\(Did you mean check\?\)/],
    [["run", "a.toml", "--resum"], /unknown option '--resum'\s+\(Did you mean --resume\?\)/],
    [["run"], /missing required argument 'config'/],
    [["run", "a.toml", "b.toml"], /too many arguments/],
    [["run", "a.toml", "--log", "loud"], /debug, info, warn, error, silent/],
    [["run", "a.toml", "--seed", "one"], /expected a whole number, found "one"/],
    [["run", "a.toml", "--seed"], /argument missing/],
    [["client", "a.toml"], /required option '--id <n>'/],
    [["client", "a.toml", "--id", "0"], /expected a whole number from 1/],
    [["evaluate", "a.toml"], /needs either --checkpoint PATH.* or --rounds/],
    [["evaluate", "a.toml", "--checkpoint", "c", "--config", "b.toml"], /--config goes with --rounds/],
    [["list", "evaluatrs"], /evaluators, tasks, presets/],
    [["list"], /missing required argument 'kind'/],
    [["results"], /missing required argument 'run'/],
    [["new", "evaluator", "Not Snake"], /snake_case/],
    [["new", "gadget", "a"], /expected evaluator or datasource/],
  ])("ends with exit status 2, before anything is read: %j", async (words, message) => {
    const { status, stdout, stderr } = await elenchus(words, folder);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error \[USAGE\]: /);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("still gives --json its one document, and --log debug the stack", async () => {
    const { status, stdout, stderr } = await elenchus(["--json", "chek", "--log", "debug"], folder);
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "USAGE", message: expect.any(String) } });
    expect(stderr).toMatch(/^ +at /m);
  });
});

describe("a reader that stops reading", () => {
  it("ends no command with a stack", async () => {
    const { child, finished } = startNode([COMMAND, "schema", "--json"], folder);
    child.stdout!.destroy();
    expect(await finished).toMatchObject({ status: 0, stderr: "" });
  });
});
