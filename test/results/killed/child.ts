// Drives results and checkpoints without training until it is killed, or has done the round it is told.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { RunRecord, runIds } from "../../../src/results/index.js";
import {
  newestCheckpoint,
  pruneCheckpoints,
  readCheckpoint,
  writeCheckpoint,
} from "../../../src/weights/index.js";
import { roundOf, TYPES, weightsOf } from "./rounds.js";

const [folder, last] = [process.argv[2]!, Number(process.argv[3])];
const checkpoints = join(folder, "checkpoints", "run");
const resultPath = join(folder, "results");
const options = { resultPath, runId: "run", types: TYPES, evaluators: ["e"] };

const exists = (await runIds(resultPath)).includes("run");
const newest = exists ? await newestCheckpoint(checkpoints) : null;
const checkpoint = newest === null ? null : await readCheckpoint(newest.path);
const record = exists
  ? await RunRecord.resume(options, checkpoint?.row ?? null)
  : await RunRecord.create(options);
writeSync(1, "ready\n");

for (let round = (checkpoint?.round ?? 0) + 1; round <= last; round++) {
  const row = roundOf(round);
  await writeCheckpoint(checkpoints, {
    runId: "run",
    model: "none",
    round,
    weights: weightsOf(round),
    row,
    state: new Map([["round", round]]),
    random: { selection: [round, 2, 3, 4] },
    clocks: { elapsed_time: round },
    scalar: { metric: "accuracy", value: round, higherIsBetter: true },
    primary: null,
  });
  await pruneCheckpoints(checkpoints, { keep: 2 });
  await record.append(row);
  writeSync(1, `${round}\n`);
}
await record.finish("completed");
