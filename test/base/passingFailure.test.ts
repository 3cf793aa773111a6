import { expect, it } from "vitest";
import { afterFailure, PassingFailure } from "../../src/base/index.js";

const limits = { attempts: 4, firstPause: 100, longestPause: 300 };
const after = (failures: number, retryAfter?: number) =>
  afterFailure(new PassingFailure("busy", retryAfter), failures, limits);

it("pauses double up to the longest, then attempts end", () => {
  expect([1, 2, 3, 4].map((failures) => after(failures))).toEqual([
    { again: true, pause: 100 },
    { again: true, pause: 200 },
    { again: true, pause: 300 },
    { again: false, asked: "" },
  ]);
});

it("what is asked for counts where it is more, and ends it beyond the longest pause", () => {
  expect(after(1, 50)).toEqual({ again: true, pause: 100 });
  expect(after(1, 250)).toEqual({ again: true, pause: 250 });
  expect(after(1, 300)).toEqual({ again: true, pause: 300 });
  expect(after(1, 1300)).toEqual({ again: false, asked: " It asks to wait 2 s." });
});
