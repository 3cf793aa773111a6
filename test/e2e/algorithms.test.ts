import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { columnsOf, rowsOf, withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("algorithms");
const MORE = `
[evaluation]
type = "classification"
on_clients = true
every = 2

[results]
types = "round, accuracy, elapsed_time, train_loss"
record_clients_accuracy = true
`;
const base = smallConfig(MORE, { clients: 3, rounds: 3 })
  .replace("per_round = 2", "per_round = 2\ndo_test = true")
  .replace('"fedavg"', '"scaffold"');
writeFileSync(join(folder, "scaffold.toml"), base);
const run = async (runId: string, ...words: string[]) => {
  const { status, stderr } = await elenchus(["run", "scaffold.toml", "--run-id", runId, ...words], folder);
  expect(status, stderr).toBe(0);
};
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
const set = (...settings: string[]) => settings.flatMap((setting) => ["--set", setting]);

it("control variates follow clients over processes and a resumed run, to the bit", async () => {
  const [, straight] = await Promise.all([
    run("whole", ...set("trainer.max_concurrency=1")).then(() => withoutTimes(csv("whole"))),
    run("parted", ...set("trainer.rounds=2")).then(() => withoutTimes(csv("parted"))),
  ]);
  expect(straight).toHaveLength(3);
  await run("parted", "--resume");
  const whole = withoutTimes(csv("whole"));
  const parted = withoutTimes(csv("parted"));
  // Round 2 was the last one when the first part ended, and round 3 is not divisible by two: both are due either way.
  expect(parted).toEqual(whole);

  expect(columnsOf(csv("whole"))).toEqual(
    expect.arrayContaining(["evaluation_clients_accuracy", "evaluation_clients_accuracy_std"]),
  );
  const rows = rowsOf(csv("whole"));
  expect(rows.map((row) => row.evaluation_clients_accuracy === "")).toEqual([true, false, false]);
  for (const row of rows.slice(1)) {
    expect(Number(row.evaluation_clients_accuracy)).toBeLessThanOrEqual(
      Number(row.evaluation_clients_accuracy_max),
    );
  }
}, 240_000);
