// Kills whole runs again and again and demands the record of one that nobody killed. Not part of `npm test`:
// it takes a quarter of an hour. `npm run soak [-- SEED]`
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killedRuns } from "../support/killedRun.js";
import { withoutTimes } from "../support/records.js";

const KILLS = 200;
const LANES = 2;
const ROUNDS = 40;

const seed = Number(process.argv[2] ?? 1);
const folder = mkdtempSync(join(tmpdir(), "elenchus-soak-"));
const runs = killedRuns(folder, ROUNDS);
assert.equal((await runs.whole("whole")).status, 0, "the run that nobody kills");

let done = 0;
const lanes = Array.from({ length: LANES }, (_, lane) => killInLane(lane));
await Promise.all(lanes);
rmSync(folder, { recursive: true, force: true });
console.log(`${done} runs killed (seed ${seed}), every record as it was to be`);

/** Every `LANES`th kill; a run that is over is checked, and the next one takes its place. */
async function killInLane(lane: number): Promise<void> {
  let runId = `lane-${lane}-kill-${lane}`;
  let recorded = 0;
  for (let kill = lane; kill < KILLS; kill += LANES) {
    const killed = await runs.kill(runId, seed, kill);
    const rounds = runs.rounds(runId);
    assert.deepEqual(
      rounds,
      rounds.map((_, index) => index + 1),
      `the rows of ${runId} after kill ${kill}, in ${folder}`,
    );
    assert.ok(rounds.length >= recorded, `kill ${kill} lost rows of ${runId}, in ${folder}`);
    recorded = rounds.length;
    done++;
    if (done % 10 === 0) console.log(`${done} of ${KILLS} kills`);
    if (killed && rounds.length < ROUNDS) continue;
    await check(runId);
    runId = `lane-${lane}-kill-${kill + LANES}`;
    recorded = 0;
  }
  await check(runId);
}

async function check(runId: string): Promise<void> {
  const { status, stderr } = await runs.resume(runId);
  assert.equal(status, 0, `${runId} in ${folder}: ${stderr}`);
  assert.deepEqual(
    withoutTimes(runs.csv(runId)),
    withoutTimes(runs.csv("whole")),
    `the record of ${runId}, in ${folder}`,
  );
}
