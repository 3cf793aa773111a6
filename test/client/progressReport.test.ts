import { expect, it } from "vitest";
import { manualClock } from "../../src/base/index.js";
import { createProgressReport } from "../../src/client/progressReport.js";
import { finiteOrNull, type Work } from "../../src/client/work.js";
import type { Progress } from "../../src/protocol/index.js";

it("reports progress at most five times a second, and always the last step", () => {
  const clock = manualClock();
  const sent: Progress[] = [];
  const work: Work = {
    round: 3,
    clientId: 9,
    test: false,
    abort: new AbortController(),
    connection: 1,
    transfer: null,
    result: null,
  };
  const report = createProgressReport(work, clock, (message) => sent.push(message));
  const at = (done: number, note?: string) =>
    report({ stage: "train", clientId: 9, done, total: 10, ...(note === undefined ? {} : { note }) });
  at(1, "0.5");
  clock.advance(199);
  at(2);
  clock.advance(1);
  at(3, "NaN");
  at(10);
  report({ stage: "test", clientId: 9, done: 1, total: 1 });
  expect(sent).toEqual([
    { round: 3, client_id: 9, done: 1, total: 10, loss: 0.5 },
    { round: 3, client_id: 9, done: 3, total: 10, loss: null },
    { round: 3, client_id: 9, done: 10, total: 10, loss: null },
  ]);
});

it("says null for what JSON cannot hold", () => {
  expect([0.5, Number.NaN, Number.NEGATIVE_INFINITY, null].map(finiteOrNull)).toEqual([
    0.5,
    null,
    null,
    null,
  ]);
});
