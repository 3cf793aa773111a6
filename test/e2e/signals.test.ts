import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { elenchus, startElenchus } from "../support/commandLine.js";
import { GATED_TRAINER, gate } from "../support/gates.js";
import { columnOf, withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("signals");
writeFileSync(join(folder, "stopped.toml"), smallConfig("", { clients: 2, rounds: 3 }));
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
const run = (runId: string) => [
  "run",
  "stopped.toml",
  "--run-id",
  runId,
  "--json",
  "--import",
  GATED_TRAINER,
  "--set",
  "trainer.type=gated",
];

it("Ctrl-C and SIGTERM close the files, say where they are, and leave a run that goes on", async () => {
  const before = gate(folder, 1, 3);
  before.close();
  const stopped = async (runId: string, signal: "SIGINT" | "SIGTERM") => {
    const running = startElenchus(run(runId), folder);
    await running.said(/^ +2\/3 +0\.\d/m);
    running.child.kill(signal);
    return running.finished;
  };
  const [int, term] = await Promise.all([stopped("int", "SIGINT"), stopped("term", "SIGTERM")]);
  expect([int.status, term.status]).toEqual([130, 143]);
  for (const { stdout, stderr } of [int, term]) {
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ status: "interrupted", rounds: 2, last_row: { round: 2 } });
    expect(stderr).toMatch(/^error \[INTERRUPTED\]: .*--resume/m);
    expect(stderr).toContain(document.csv);
    expect(columnOf(document.csv, "round")).toEqual(["1", "2"]);
    const manifest = JSON.parse(readFileSync(document.csv.replace(/\.csv$/, "/run.json"), "utf8"));
    expect(manifest).toMatchObject({ status: "interrupted", error: { code: "INTERRUPTED" } });
    expect(manifest.end).toEqual(expect.any(String));
  }

  before.open();
  const [went, whole] = await Promise.all([
    elenchus([...run("int"), "--resume"], folder),
    elenchus(run("whole"), folder),
  ]);
  expect([went.status, whole.status]).toEqual([0, 0]);
  expect(withoutTimes(csv("int"))).toEqual(withoutTimes(csv("whole")));
}, 120_000);
