import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus, startElenchus } from "../support/commandLine.js";
import { GATED_TRAINER, gate } from "../support/gates.js";
import { columnOf, withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { until } from "../support/until.js";

const folder = temporaryFolder("resume");
const RECORDED = `
[evaluation]
type = "classification"

[results]
types = "round, accuracy, elapsed_time, train_loss, comm_overhead"
`;
writeFileSync(join(folder, "resume.toml"), smallConfig(RECORDED, { clients: 2, rounds: 3 }));
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
const gated = ["--import", GATED_TRAINER, "--set", "trainer.type=gated"];
const run = (...words: string[]) => ["run", "resume.toml", ...words];
const resumed = (...words: string[]) => elenchus(run("--run-id", "whole", "--resume", ...words), folder);

beforeAll(async () => {
  const { status, stderr } = await elenchus(run("--run-id", "whole"), folder);
  expect(status, stderr).toBe(0);
}, 120_000);

describe("a kill in the middle of a round", () => {
  it("of a client costs nothing but time", async () => {
    const before = gate(folder, 2, 2);
    before.close();
    const killed = startElenchus(run("--run-id", "client-killed", ...gated), folder);
    process.kill(await before.waiting(), "SIGKILL");
    before.open();
    const { status, stderr } = await killed.finished;
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/Client process \d ended with signal SIGKILL.*started again/);
    const record = (runId: string) =>
      // The weights went out once more, which counts as traffic.
      withoutTimes(csv(runId)).map((cells) => cells.filter((_, index) => index !== 3));
    expect(withoutTimes(csv("whole"))[0]![3]).toBe("comm_overhead");
    expect(record("client-killed")).toEqual(record("whole"));
  }, 120_000);

  it("of the server ends its processes, and --resume gives the same record to the bit", async () => {
    const before = gate(folder, 1, 3);
    before.close();
    const killed = startElenchus(run("--run-id", "server-killed", ...gated), folder);
    const client = await before.waiting();
    killed.child.kill("SIGKILL");
    await killed.finished;
    await until(() => (isAlive(client) ? undefined : true), "the end of a client without a server");
    before.open();
    expect(columnOf(csv("server-killed"), "round")).toEqual(["1", "2"]);

    const went = await elenchus(run("--run-id", "server-killed", "--resume", ...gated, "--json"), folder);
    expect(went.status, went.stderr).toBe(0);
    expect(JSON.parse(went.stdout)).toMatchObject({ status: "completed", rounds: 3 });
    expect(withoutTimes(csv("server-killed"))).toEqual(withoutTimes(csv("whole")));
    const manifest = JSON.parse(readFileSync(csv("server-killed").replace(/\.csv$/, "/run.json"), "utf8"));
    expect(manifest).toMatchObject({ status: "completed", error: null });
  }, 120_000);
});

describe("a run that exists", () => {
  it("is not begun again", async () => {
    const before = readFileSync(csv("whole"));
    const { status, stderr, stdout } = await elenchus(run("--run-id", "whole", "--json"), folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error \[RUN_EXISTS\]: .*whole\.csv.*--resume/m);
    expect(JSON.parse(stdout).error.code).toBe("RUN_EXISTS");
    expect(readFileSync(csv("whole"))).toEqual(before);
  });

  it("is left as it is by --resume when it is finished", async () => {
    const before = readFileSync(csv("whole"));
    const { status, stdout } = await resumed("--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ run_id: "whole", status: "completed", rounds: 3 });
    expect(JSON.parse(stdout).last_row.round).toBe(3);
    expect(readFileSync(csv("whole"))).toEqual(before);
  });

  it.each([
    [
      ["--seed", "2"],
      ["clients.random_seed", "server.random_seed", "data.random_seed", "trainer.random_seed"],
    ],
    [["--set", "parameters.model.hidden_sizes=[8]"], ["parameters.model.hidden_sizes was [16] and is [8]"]],
    [["--set", "trainer.model_name=lenet5", "--set", "parameters.model={}"], ["trainer.model_name"]],
    [["--set", "data.partition_size=32"], ["data.partition_size was 64 and is 32"]],
  ])("does not go on with %j, and says which keys differ", async (changed, keys) => {
    const { status, stderr } = await resumed(...changed);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error \[RESUME_REFUSED\]/m);
    for (const key of keys) expect(stderr).toContain(key);
  });

  it("goes on behind its last row where more rounds are asked for", async () => {
    const before = withoutTimes(csv("whole"));
    const { status, stdout, stderr } = await resumed("--json", "--set", "trainer.rounds=4");
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", rounds: 4 });
    expect(withoutTimes(csv("whole")).slice(0, 4)).toEqual(before);
    expect(columnOf(csv("whole"), "round")).toEqual(["1", "2", "3", "4"]);
  }, 60_000);
});

describe("--resume without a run to resume", () => {
  it.each([
    [["--run-id", "never-was"], 'There is no run "never-was"'],
    [["--base", "elsewhere"], 'no run of the configuration "resume"'],
  ])("is refused: %j", async (words, message) => {
    const { status, stderr } = await elenchus(run("--resume", ...words), folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error \[RUN_NOT_FOUND\]/m);
    expect(stderr).toContain(message);
    expect(existsSync(join(folder, "elsewhere", "results"))).toBe(false);
  });

  it("takes the newest run of the configuration's name when none is named", async () => {
    const { status, stdout } = await elenchus(run("--resume", "--json"), folder);
    expect(status).toBe(0);
    // Started last of those above.
    expect(JSON.parse(stdout)).toMatchObject({ run_id: "server-killed", status: "completed" });
    expect(
      readdirSync(join(folder, "runtime", "results")).filter((name) => name.endsWith(".csv")),
    ).toHaveLength(3);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
