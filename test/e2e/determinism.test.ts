import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { withoutTimes } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("determinism");
const RECORDED = `
[evaluation]
type = "classification"
per_class = true

[results]
types = "round, accuracy, accuracy_std, train_loss, comm_overhead, elapsed_time, comm_time, round_time"
record_clients_accuracy = true
`;
writeFileSync(
  join(folder, "same.toml"),
  smallConfig(RECORDED, { clients: 6, perRound: 3 }).replace('"iid"', '"noniid"'),
);
const record = async (runId: string, ...words: string[]) => {
  const more = [
    "--set",
    "trainer.model_name=lenet5",
    "--set",
    "parameters.model={}",
    "--set",
    "clients.do_test=true",
  ];
  const { status, stderr } = await elenchus(
    ["run", "same.toml", "--run-id", runId, ...more, ...words],
    folder,
  );
  expect(status, stderr).toBe(0);
  const results = join(folder, "runtime", "results");
  return [withoutTimes(join(results, `${runId}.csv`)), withoutTimes(join(results, `${runId}_accuracy.csv`))];
};

it("the same seed gives the same record to the bit, however many processes work at it", async () => {
  const first = await record("first");
  const again = await record("again", "--seed", "1");
  expect(again).toEqual(first);
  const [one, two] = await Promise.all([
    record("one-worker", "--set", "trainer.max_concurrency=1"),
    record("two-workers", "--set", "trainer.max_concurrency=2"),
  ]);
  expect(one).toEqual(first);
  expect(two).toEqual(first);

  const other = await record("other", "--seed", "2");
  // accuracy and train_loss
  for (const column of [1, 3]) {
    expect(other[0]!.map((cells) => cells[column])).not.toEqual(first[0]!.map((cells) => cells[column]));
  }
}, 240_000);
