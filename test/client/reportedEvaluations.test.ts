import { describe, expect, it } from "vitest";
import { fittingReport, reportedEvaluations } from "../../src/client/reportedEvaluations.js";
import { TO_SERVER } from "../../src/protocol/events.js";
import type { Report } from "../../src/protocol/index.js";
import { outcomeOf } from "../server/support/federation.js";

const reportWith = (evaluations: Report["evaluations"]): Report => ({
  round: 1,
  client_id: 1,
  num_samples: 1,
  train_loss: null,
  training_time: 1,
  scalar: null,
  evaluations,
  transfer: { id: "t", bytes: 8, chunks: 1, chunk_bytes: 8 },
});
const many = (count: number, name = "m") => {
  const metrics = Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]));
  const primary = `${name}0`;
  const result = { ...outcomeOf("e").result!, metrics, primary_metric: primary, higher_is_better: {} };
  return outcomeOf("e", { result });
};

describe("what a report says of evaluators", () => {
  it("are their numbers, with direction and sums, and nothing else", () => {
    const sums = { score: { numerator: 1, denominator: 2, transform: "identity" as const } };
    const failed = outcomeOf("broken", {
      status: "failed",
      reason: "x".repeat(5000),
      error: { code: "EVALUATION_FAILED", message: "x" },
      result: null,
    });
    const evaluations = reportedEvaluations([outcomeOf("a", { sums }), failed]);
    expect(evaluations).toEqual([
      {
        name: "a",
        status: "ok",
        reason: null,
        code: null,
        metrics: [{ name: "score", value: 0.5, higher_is_better: true, sum: sums.score }],
      },
      { name: "broken", status: "failed", reason: "x".repeat(2000), code: "EVALUATION_FAILED", metrics: [] },
    ]);
    expect(TO_SERVER.report.safeParse(reportWith(evaluations)).success).toBe(true);
  });

  it("count as failed where they are too many or too long, so that training is not refused with them", () => {
    expect(reportedEvaluations([many(1000)])[0]).toMatchObject({ status: "ok" });
    for (const excess of [many(1001), many(1, "n".repeat(600))]) {
      const evaluations = reportedEvaluations([excess]);
      expect(evaluations[0]).toMatchObject({ status: "failed", code: "RESULT_INVALID", metrics: [] });
      expect(TO_SERVER.report.safeParse(reportWith(evaluations)).success).toBe(true);
    }
    const report = reportWith(reportedEvaluations([{ ...many(900), name: "long" }, outcomeOf("short")]));
    const fitting = fittingReport(report, 2000);
    expect(fitting.evaluations!.map(({ name, status }) => [name, status])).toEqual([
      ["long", "failed"],
      ["short", "ok"],
    ]);
    expect(fitting.evaluations![0]!.reason).toContain("server.max_report_bytes");
    expect(fittingReport(report, 200).evaluations).toEqual([]);
    expect(fittingReport(report, 1e6)).toBe(report);
  });
});
