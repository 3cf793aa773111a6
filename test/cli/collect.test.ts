import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newManifest, writeManifest } from "../../src/results/manifest.js";
import { commandHere } from "../support/commandHere.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const base = temporaryFolder("collect");

async function record(runId: string, status: "completed" | "running"): Promise<void> {
  const folder = join(base, "results", runId);
  mkdirSync(folder, { recursive: true });
  await writeManifest(join(folder, "run.json"), {
    ...newManifest({ runId, name: "test", start: 0, config: {} }),
    status,
    first_round: 1,
  });
  writeFileSync(join(base, "results", `${runId}.csv`), "round,accuracy\n1,0.5\n");
}

it("finds nothing to fill where no job is pending", async () => {
  await record("done", "completed");
  const { status, stdout } = await commandHere("results", "collect", "done", "--base", base);
  expect([status, stdout]).toEqual([0, "done: no row filled\n"]);
  const json = await commandHere("results", "collect", "done", "--base", base, "--json");
  expect(JSON.parse(json.stdout)).toEqual({ run_id: "done", rows: [{ round: 1, accuracy: 0.5 }] });
});

it("keeps a row waiting whose service is not there, and says which", async () => {
  await record("waits", "completed");
  const folder = join(base, "results", "waits", "pending");
  mkdirSync(folder);
  const job = { schema: 1, name: "s", type: "service", fail_on_error: false, primary_metric: null, round: 1 };
  const where = { server: "http://127.0.0.1:9", token_variable: null, job_id: "job-1" };
  writeFileSync(join(folder, "1-s.json"), JSON.stringify({ ...job, ...where, submitted: 0, deadline: 0 }));
  const { status, stdout, stderr } = await commandHere("results", "collect", "waits", "--base", base);
  expect(status).toBe(0);
  expect(stdout).toContain("round 1: s waits for job job-1 at http://127.0.0.1:9");
  expect(stderr).toContain("cannot be asked about");
  writeFileSync(join(folder, "1-s.json"), "{}");
  const torn = await commandHere("results", "collect", "waits", "--base", base);
  expect([torn.status, torn.stderr]).toEqual([2, expect.stringContaining("RECORD_CORRUPT")]);
});

it("takes one run, and one that has ended", async () => {
  await record("going", "running");
  const busy = await commandHere("results", "collect", "going", "--base", base);
  expect([busy.status, busy.stderr]).toEqual([2, expect.stringContaining("RUN_BUSY")]);
  const two = await commandHere("results", "collect", "done", "going", "--base", base);
  expect([two.status, two.stderr]).toEqual([2, expect.stringContaining("takes one run")]);
});

it("lists what evaluations of rows are put together from", async () => {
  for (const [kind, name] of [
    ["processors", "mmlu"],
    ["datasets", "llamastack/simpleqa"],
    ["generators", "inference"],
  ]) {
    const { stdout } = await commandHere("list", kind!, "--json");
    expect(JSON.parse(stdout).map((one: { name: string }) => one.name)).toContain(name);
  }
});
