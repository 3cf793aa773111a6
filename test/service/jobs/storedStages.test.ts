import { describe, expect, expectTypeOf, it } from "vitest";
import { type JobStages, rowsOfJob, storedStages } from "../../../src/service/jobs/index.js";
import { EmbeddedStorage } from "../../../src/service/storage/index.js";
import type { StageStore } from "../../../src/tasks/index.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

describe("the stages of a job", () => {
  it("are a store of stages as the tasks' pipeline wants it", () => {
    expectTypeOf<JobStages>().toExtend<StageStore>();
  });

  it("keep their rows under the job, each the first that was given", async () => {
    const storage = await EmbeddedStorage.open(temporaryFolder("stages"));
    const stages = storedStages(storage, "job-1");
    await stages.append("generated", 1, { text: "b" });
    await stages.append("generated", 0, { text: "a" });
    await stages.append("generated", 1, { text: "not b" });
    expect(await stages.has("generated", 1)).toBe(true);
    expect(await stages.has("scored:x", 1)).toBe(false);
    const rows = [];
    for await (const row of storedStages(storage, "job-1").rows("generated")) rows.push(row);
    expect(rows).toEqual([
      { index: 0, row: { text: "a" } },
      { index: 1, row: { text: "b" } },
    ]);
    expect(await storage.stages(rowsOfJob("job-1"))).toEqual([{ stage: "generated", count: 2 }]);
    await storage.close();
  });
});
