import { describe, expect, it } from "vitest";
import { hasEnded, JOB_STATUSES, type JobEvent, statusAfter } from "../../../src/service/jobs/index.js";

const EVENTS: JobEvent[] = ["claim", "beat", "release", "complete", "fail", "cancel"];

describe("the states of a job", () => {
  it("are left by these events and by no others", () => {
    const table = JOB_STATUSES.map((status) => [
      status,
      EVENTS.map((event) => statusAfter(status, event) ?? "-").join(" "),
    ]);
    expect(table).toEqual([
      ["scheduled", "in_progress - - - - cancelled"],
      ["in_progress", "in_progress in_progress in_progress completed failed cancelled"],
      ["completed", "- - - - - -"],
      ["failed", "- - - - - -"],
      ["cancelled", "- - - - - -"],
    ]);
    expect(JOB_STATUSES.filter(hasEnded)).toEqual(["completed", "failed", "cancelled"]);
  });
});
