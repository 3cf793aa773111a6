import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { elenchus, type Started, startElenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("tour");
writeFileSync(
  join(folder, "answers.csv"),
  "question,expected_answer,generated_answer\ncapital of France,Paris,London\nlargest planet,Jupiter,Jupiter\n",
);
let service: Started;
let url = "";
beforeAll(async () => {
  service = startElenchus(["serve", "--port", "0", "--json"], folder);
  await service.said(/listens on \S+;/);
  url = /listens on (\S+);/.exec(service.stderr())![1]!;
}, 90_000);
afterAll(() => service.child.kill("SIGKILL"));
const ask = async (...words: string[]) => await elenchus([...words, "--server", url, "--json"], folder);

/** The tour of the README, as processes. */
describe("the service from the command line", () => {
  it("takes a data set, scores it and tells the figures", async () => {
    const made = await ask(
      "dataset",
      "create",
      "answers",
      "--file",
      "answers.csv",
      "--rename",
      "question=input_query",
    );
    expect([made.status, JSON.parse(made.stdout)]).toEqual([
      0,
      { status: "success", msg: "Dataset 'answers' registered", error: null },
    ]);
    const scored = await ask("eval", "score", "--dataset", "answers", "--scorer", "accuracy");
    expect(scored.status).toBe(0);
    expect(JSON.parse(scored.stdout)).toMatchObject({
      status: "completed",
      result: { metrics: { "accuracy:num_correct": 1, "accuracy:num_total": 2 } },
    });
    const listed = await elenchus(["eval", "jobs", "--server", url], folder);
    expect(listed.stdout).toMatch(/score +completed/);
  });

  it("tells what is wrong by the service's own code", async () => {
    const { status, stdout, stderr } = await ask("dataset", "get", "none");
    expect(status).toBe(2);
    expect(stderr).toBe("error [NOT_FOUND]: Dataset none not found.\n");
    expect(JSON.parse(stdout).error.code).toBe("NOT_FOUND");
    const nobody = await elenchus(["dataset", "list", "--server", "http://127.0.0.1:9"], folder);
    expect(nobody.status).toBe(1);
    expect(nobody.stderr).toMatch(/^error \[SERVICE_UNREACHABLE\]/);
  });

  it("ends in an orderly way when it is told to", async () => {
    service.child.kill("SIGTERM");
    const { status, stdout } = await service.finished;
    expect([status, JSON.parse(stdout)]).toEqual([143, { url }]);
  });
});
