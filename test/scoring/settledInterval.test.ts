import { describe, expect, it } from "vitest";
import { createLogger, ElenchusError } from "../../src/base/index.js";
import { type BootstrapRequest, bootstrapInterval } from "../../src/scoring/aggregation/bootstrap.js";
import { SettledInterval } from "../../src/scoring/aggregation/settledInterval.js";
import type { ScoringThreads } from "../../src/scoring/threads/scoringThreads.js";

const request: BootstrapRequest = {
  statistic: "mean",
  columns: [Float64Array.of(0, 1, 1, 0)],
  options: { bootstrap: 20, seed: 1 },
};

function failing(error: Error, lines: string[] = []): ScoringThreads {
  const logger = createLogger("warn", (line) => lines.push(line));
  return { logger, interval: () => Promise.reject(error) } as unknown as ScoringThreads;
}

describe("an interval that is to be found in a thread", () => {
  it.each(["WORKER_DIED", "WORKER_TIMEOUT"] as const)("is drawn here after %s", async (code) => {
    const lines: string[] = [];
    const interval = new SettledInterval(() => request);
    await interval.settle(failing(new ElenchusError(code, "the thread is lost"), lines), undefined);
    expect(interval.value).toEqual(bootstrapInterval(request));
    expect(lines).toEqual([expect.stringContaining("the thread is lost")]);
  });

  it("is not drawn where whoever asked has gone", async () => {
    const interval = new SettledInterval(() => request);
    const stopped = new ElenchusError("INTERRUPTED", "the threads were closed");
    await expect(interval.settle(failing(stopped), undefined)).rejects.toBe(stopped);
  });
});
