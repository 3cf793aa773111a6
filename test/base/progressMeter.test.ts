import { describe, expect, it } from "vitest";
import { manualClock, ProgressMeter } from "../../src/base/index.js";

describe("a progress meter", () => {
  it("gives the rate since it was made, and the time that is left at that rate", () => {
    const clock = manualClock();
    const meter = new ProgressMeter(clock);
    expect(meter.at(0, 100)).toEqual({ done: 0, total: 100, rate: null, timeLeft: null });
    clock.advance(2000);
    expect(meter.at(10, 100)).toEqual({ done: 10, total: 100, rate: 5, timeLeft: 18 });
    clock.advance(2000);
    expect(meter.at(40, 100)).toEqual({ done: 40, total: 100, rate: 10, timeLeft: 6 });
    expect(meter.at(100, 100).timeLeft).toBe(0);
  });

  it("forgets what was long ago: long requests come first", () => {
    const clock = manualClock();
    const meter = new ProgressMeter(clock);
    let done = 0;
    // A minute with one in a second, then half a minute with ten.
    for (let second = 0; second < 60; second++) {
      clock.advance(1000);
      meter.at(++done, 1000);
    }
    for (let second = 0; second < 30; second++) {
      clock.advance(1000);
      done += 10;
      meter.at(done, 1000);
    }
    expect(meter.at(done, 1000).rate).toBeCloseTo(10, 9);
  });

  it("does not take for speed what was known before", () => {
    const clock = manualClock();
    const meter = new ProgressMeter(clock);
    clock.advance(1000);
    expect(meter.at(900, 1000, 900)).toMatchObject({ done: 900, rate: null, timeLeft: null });
    clock.advance(9000);
    expect(meter.at(920, 1000, 900)).toMatchObject({ rate: 2, timeLeft: 40 });
  });
});
