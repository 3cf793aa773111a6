import { describe, expect, it } from "vitest";
import { manualClock } from "../../../src/base/index.js";
import { ProgressMeter } from "../../../src/service/jobs/progressMeter.js";

const BEFORE = { done: 40, total: 100, rate: 9, time_left: 3 };

describe("the progress of a job", () => {
  it("starts with what was known, without the rate of the worker before", () => {
    expect(new ProgressMeter(manualClock(), BEFORE).progress).toEqual({
      done: 40,
      total: 100,
      rate: null,
      time_left: null,
    });
  });

  it("counts the rate from where this worker began", () => {
    const clock = manualClock();
    const meter = new ProgressMeter(clock, BEFORE);
    meter.count(50, 100);
    expect(meter.progress).toEqual({ done: 50, total: 100, rate: null, time_left: null });
    clock.advance(4000);
    meter.count(60);
    // Ten rows in four seconds; forty are left.
    expect(meter.progress).toEqual({ done: 60, total: 100, rate: 2.5, time_left: 16 });
    meter.count(120);
    expect(meter.progress.time_left).toBe(0);
  });

  it("tells no time while the number of rows is not known", () => {
    const clock = manualClock();
    const meter = new ProgressMeter(clock, { ...BEFORE, total: null });
    meter.count(0);
    clock.advance(1000);
    meter.count(3);
    expect(meter.progress).toEqual({ done: 3, total: null, rate: 3, time_left: null });
  });
});
