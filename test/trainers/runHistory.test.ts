import { expect, test } from "vitest";
import { RunHistory } from "../../src/trainers/index.js";

test("keeps the values of each metric in their order", () => {
  const history = new RunHistory();
  history.updateMetric("loss", 3);
  history.updateMetric("__proto__", 1);
  history.updateMetric("loss", 2);

  expect(history.getMetricNames()).toEqual(["loss", "__proto__"]);
  expect(history.getMetricValues("loss")).toEqual([3, 2]);
  expect(history.getMetricValues("absent")).toEqual([]);
  expect(history.getLatestMetric("loss")).toBe(2);
});

test("has no latest value of a metric that was never recorded, nor after a reset", () => {
  const history = new RunHistory();
  history.updateMetric("loss", 3);

  expect(() => history.getLatestMetric("accuracy")).toThrow(
    expect.objectContaining({ code: "NAME_UNKNOWN", message: expect.stringContaining("Recorded: loss.") }),
  );
  history.reset();
  expect(history.getMetricNames()).toEqual([]);
  expect(() => history.getLatestMetric("loss")).toThrow(expect.objectContaining({ code: "NAME_UNKNOWN" }));
});

test("hands out copies", () => {
  const history = new RunHistory();
  history.updateMetric("loss", 3);
  history.getMetricValues("loss").push(4);

  expect(history.getMetricValues("loss")).toEqual([3]);
});
