import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { elenchus, startElenchus } from "../support/commandLine.js";
import { GATED_TRAINER, gate } from "../support/gates.js";
import { columnOf, rowsOf, withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/** Long enough for a client that is not held up, also on a busy machine. */
const DEADLINE = "8";

const folder = temporaryFolder("slow-clients");
const RECORDED = `
[results]
types = "round, accuracy, elapsed_time, train_loss"
`;
writeFileSync(join(folder, "slow.toml"), smallConfig(RECORDED, { clients: 2 }));
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
const gated = ["--import", GATED_TRAINER, "--set", "trainer.type=gated"];
const run = (runId: string, ...words: string[]) => [
  "run",
  "slow.toml",
  "--run-id",
  runId,
  "--json",
  ...words,
];

it("a client past the round's deadline is left out, or ends the run below the quorum", async () => {
  gate(folder, 2, 2).close();
  const deadline = ["--set", `server.round_deadline=${DEADLINE}`];
  const [closed, missed] = await Promise.all([
    elenchus(run("closed", ...gated, ...deadline), folder),
    elenchus(run("missed", ...gated, ...deadline, "--set", "server.minimum_clients_aggregated=2"), folder),
  ]);
  gate(folder, 2, 2).open();

  // The round closes with the other, whose loss it then is.
  expect(closed.status, closed.stderr).toBe(0);
  expect(closed.stderr).toMatch(/Client 2 is given up in round 2: .*deadline/);
  expect(JSON.parse(closed.stdout)).toMatchObject({ status: "completed", rounds: 2 });
  expect(columnOf(csv("closed"), "round")).toEqual(["1", "2"]);

  expect(missed.status).toBe(1);
  expect(missed.stderr).toMatch(/^error \[QUORUM_MISSED\]/m);
  expect(JSON.parse(missed.stdout)).toMatchObject({ status: "failed", rounds: 1, last_row: { round: 1 } });
  expect(withoutTimes(csv("missed"))).toEqual(withoutTimes(csv("closed")).slice(0, 2));
  expect(readdirSync(join(folder, "runtime", "checkpoints", "missed"))).toContain("checkpoint_1.safetensors");

  // With a client that is in time, it goes on where it stopped.
  const [resumed, whole] = await Promise.all([
    elenchus(run("missed", "--resume"), folder),
    elenchus(run("whole"), folder),
  ]);
  expect([resumed.status, whole.status]).toEqual([0, 0]);
  expect(withoutTimes(csv("missed"))).toEqual(withoutTimes(csv("whole")));
  expect(rowsOf(csv("closed"))[1]!.train_loss).not.toBe(rowsOf(csv("whole"))[1]!.train_loss);
}, 120_000);

it("too few clients before the connect deadline end the run", async () => {
  const words = ["server", "slow.toml", "--run-id", "alone", "--json", "--set", "server.token=t"];
  const { status, stdout, stderr } = await elenchus([...words, "--set", "server.connect_deadline=1"], folder);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error \[QUORUM_MISSED\]: .*connect/m);
  expect(JSON.parse(stdout)).toMatchObject({ status: "failed", rounds: 0, last_row: null });
  expect(existsSync(csv("alone"))).toBe(true);
}, 60_000);

it("a client that fails is left out, and stops the run only with general.debug", async () => {
  const failing = ["--import", GATED_TRAINER, "--set", "trainer.type=failing"];
  const lenient = startElenchus(run("lenient", ...failing), folder);
  const strict = startElenchus(run("debug", ...failing, "--set", "general.debug=true"), folder);
  const [went, stopped] = await Promise.all([lenient.finished, strict.finished]);
  expect(went.status, went.stderr).toBe(0);
  expect(went.stderr).toMatch(/Client 2 failed in round 2.*out of memory/);
  expect(columnOf(csv("lenient"), "round")).toEqual(["1", "2"]);
  expect(stopped.status).toBe(1);
  expect(stopped.stderr).toMatch(/^error \[CLIENT_FAILED\]: .*out of memory/m);
  expect(columnOf(csv("debug"), "round")).toEqual(["1"]);
  expect(withoutTimes(csv("lenient")).slice(0, 2)).toEqual(withoutTimes(csv("debug")));
}, 60_000);
