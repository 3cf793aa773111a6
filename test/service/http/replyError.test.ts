import { expect, it } from "vitest";
import { ElenchusError } from "../../../src/base/index.js";
import { replyErrorOf } from "../../../src/service/http/replyError.js";

it("of a worker that died does not tell what it printed", () => {
  const told = "The worker that computes a model ended with exit code 1; the log has its last lines.";
  const died = new ElenchusError("WORKER_DIED", "The worker ended. Its last output:\nkey=secret", {
    details: { exit_code: 1, signal: null, lines: ["key=secret"], told },
  });
  expect(replyErrorOf(died)).toEqual({
    status: 500,
    facts: { code: "WORKER_DIED", message: told, type: "api_error", param: null },
  });
});

it("tells all that is said for whoever asked", () => {
  const { status, facts } = replyErrorOf(new ElenchusError("NOT_FOUND", "There is no such thing."));
  expect([status, facts.message]).toEqual([404, "There is no such thing."]);
});
