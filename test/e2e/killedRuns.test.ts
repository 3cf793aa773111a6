import { expect, it } from "vitest";
import { killedRuns } from "../support/killedRun.js";
import { columnOf, rowsOf, withoutTimes } from "../support/records.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const KILLS = 10;
const ROUNDS = 40;

it(`a run that is killed ${KILLS} times leaves the record of one that never was`, async () => {
  const runs = killedRuns(temporaryFolder("killed-runs"), ROUNDS);
  const whole = runs.whole("whole");
  let recorded = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    expect(await runs.kill("killed", 1, kill)).toBe(true);
    // Whatever the kill left, it is whole rows, none of them twice and none lost.
    const rounds = runs.rounds("killed");
    expect(rounds).toEqual(rounds.map((_, index) => index + 1));
    expect(rounds.length).toBeGreaterThanOrEqual(recorded);
    recorded = rounds.length;
  }
  // Kills must have hit work, not only start-ups.
  expect(recorded).toBeGreaterThan(KILLS / 2);

  const [{ status: first }, { status, stdout }] = [await whole, await runs.resume("killed")];
  expect([first, status]).toEqual([0, 0]);
  expect(JSON.parse(stdout)).toMatchObject({ run_id: "killed", status: "completed", rounds: ROUNDS });
  expect(withoutTimes(runs.csv("killed"))).toEqual(withoutTimes(runs.csv("whole")));

  const times = columnOf(runs.csv("killed"), "elapsed_time").map(Number);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(rowsOf(runs.csv("killed")).at(-1)).toMatchObject({ evaluation_asked: String(ROUNDS) });
}, 240_000);
