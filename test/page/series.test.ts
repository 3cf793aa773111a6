import { describe, expect, it } from "vitest";
import type { Run } from "../../src/api/index.js";
import { isUncertainty, standardColumns, uncertainties } from "../../src/page/metrics/columns.js";
import { bestOf, directionOf, seriesOf } from "../../src/page/metrics/series.js";

const run = (columns: string[], rows: Run["rows"]): Run => ({
  ...{ run_id: "a", name: null, status: "completed", start: null, end: null, error: null },
  ...{ columns, described: {}, from: 0, total: rows.length, rows },
});

describe("columns", () => {
  it("know which others say how uncertain they are, an interval before a standard error", () => {
    const known = uncertainties([
      ...["acc", "acc_stderr", "f1", "f1_stderr", "f1_ci_low", "f1_ci_high", "loss", "loss_ci_low"],
      ...["em_none", "em_stderr_none"],
    ]);
    expect(Object.fromEntries(known)).toEqual({
      acc: { kind: "error", error: "acc_stderr" },
      f1: { kind: "interval", low: "f1_ci_low", high: "f1_ci_high" },
      em_none: { kind: "error", error: "em_stderr_none" },
    });
    expect(["acc_stderr", "f1_ci_high", "em_stderr_none", "stderr_of"].map(isUncertainty)).toEqual([
      ...[true, true, true, false],
    ]);
  });

  it("that nobody chose are the primary value, accuracy and the first metrics", () => {
    expect(
      standardColumns(
        ["round", "accuracy", "elapsed_time", "evaluation_primary_value", "evaluation_status"].concat(
          "evaluation_a",
          "evaluation_a_stderr",
          "evaluation_b",
          "evaluation_c",
        ),
      ),
    ).toEqual(["evaluation_primary_value", "accuracy", "evaluation_a", "evaluation_b"]);
  });
});

describe("a metric over rounds", () => {
  it("has a bar of 1.96 standard errors to each side, and no point where it was not measured", () => {
    const { points } = seriesOf(
      run(
        ["round", "acc", "acc_stderr"],
        [
          [1, 0.5, 0.1],
          [2, null, null],
          [3, 0.6, null],
        ],
      ),
      "acc",
    );
    expect(points).toHaveLength(2);
    expect(points[0]!.low).toBeCloseTo(0.5 - 0.1959964, 6);
    expect(points[0]!.high).toBeCloseTo(0.5 + 0.1959964, 6);
    expect(points[1]).toEqual({ round: 3, value: 0.6 });
  });

  it("takes a recorded interval as it is, lopsided ones too", () => {
    const { points } = seriesOf(run(["loss", "loss_ci_high", "loss_ci_low"], [[2, 2.5, 1.9]]), "loss");
    expect(points).toEqual([{ round: 1, value: 2, low: 1.9, high: 2.5 }]);
  });

  it("has the direction that runs agree on, and none in common where they do not", () => {
    expect(directionOf([undefined, false, null])).toEqual({ common: false, mixed: false });
    expect(directionOf([true, true])).toEqual({ common: true, mixed: false });
    expect(directionOf([true, false])).toEqual({ common: undefined, mixed: true });
    expect(directionOf([null])).toEqual({ common: undefined, mixed: false });
  });

  it("is best where its direction says, and last where none is known", () => {
    const series = { run: "a", points: [3, 1, 2].map((value, place) => ({ round: place + 1, value })) };
    expect(bestOf(series, true)?.round).toBe(1);
    expect(bestOf(series, false)?.round).toBe(2);
    expect(bestOf(series, null)?.round).toBe(3);
    expect(bestOf({ run: "a", points: [] }, true)).toBeUndefined();
  });
});
