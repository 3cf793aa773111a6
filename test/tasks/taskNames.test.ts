import { describe, expect, it } from "vitest";
import { parseTaskName, registerTask, resolveTask, taskGroups, tasks } from "../../src/tasks/index.js";

describe("parseTaskName", () => {
  it.each([
    ["piqa", { dialect: undefined, name: "piqa", version: undefined, shots: undefined }],
    ["harness:arc_easy|25", { dialect: "harness", name: "arc_easy", version: undefined, shots: 25 }],
    ["arc:easy|0", { dialect: undefined, name: "arc_easy", version: undefined, shots: 0 }],
    ["harness:mmlu:anatomy@v0|5", { dialect: "harness", name: "mmlu_anatomy", version: "v0", shots: 5 }],
    ["core:copa", { dialect: "core", name: "copa", version: undefined, shots: undefined }],
    ["core", { dialect: undefined, name: "core", version: undefined, shots: undefined }],
  ])("reads %s", (text, expected) => {
    expect(parseTaskName(text)).toEqual(expected);
  });

  it.each(["", "harness:", "a::b", "a|x", "a|", "a|-1", "a b", "a@|1"])("refuses %j", (text) => {
    expect(() => parseTaskName(text)).toThrow(expect.objectContaining({ code: "NAME_INVALID" }));
  });
});

describe("resolveTask", () => {
  const found = (text: string, shots?: number) => {
    const chosen = resolveTask(text, shots);
    return chosen.tasks.map(({ task, shots: count }) => `${task.name}|${count}`);
  };

  it("takes lighteval's task where no dialect is named", () => {
    expect(found("piqa")).toEqual(["lighteval:piqa|0"]);
    expect(found("arc:easy|25")).toEqual(["lighteval:arc_easy|25"]);
    expect(found("truthfulqa:mc")).toEqual(["lighteval:truthfulqa_mc|0"]);
  });

  it("takes a task's own number of shots, else the named, else the given one", () => {
    expect(found("harness:gsm8k")).toEqual(["harness:gsm8k|5"]);
    expect(found("harness:gsm8k|3")).toEqual(["harness:gsm8k|3"]);
    expect(found("harness:gsm8k|3", 0)).toEqual(["harness:gsm8k|0"]);
    expect(found("core:agi_eval_lsat_ar")).toEqual(["core:agi_eval_lsat_ar|3"]);
  });

  it("does not take shots where a task has its own and no others", () => {
    expect(resolveTask("harness:truthfulqa_mc1|5").tasks).toMatchObject([{ shots: 0, ignoredShots: 5 }]);
    expect(resolveTask("harness:truthfulqa_mc1|0").tasks[0]).not.toHaveProperty("ignoredShots");
    expect(found("truthfulqa:mc|5")).toEqual(["lighteval:truthfulqa_mc|5"]);
  });

  it("finds old versions by v0, also the two that had reached v1, and today's by its number", () => {
    expect(found("harness:arc_easy@v0")).toEqual(["harness:arc_easy@v0|0"]);
    expect(found("harness:boolq@v0")).toEqual(["harness:boolq@v1|0"]);
    expect(found("harness:boolq@v1")).toEqual(["harness:boolq@v1|0"]);
    expect(found("harness:boolq@2")).toEqual(["harness:boolq|0"]);
    expect(found("harness:gsm8k@v3")).toEqual(["harness:gsm8k|5"]);
    expect(() => found("harness:boolq@7")).toThrow(/no version 7. It has 2, v1/);
  });

  it("takes groups apart", () => {
    expect(found("mmlu|5")).toHaveLength(57);
    expect(found("mmlu|5")[0]).toBe("lighteval:mmlu_abstract_algebra|5");
    expect(found("arc")).toEqual(["lighteval:arc_easy|0", "lighteval:arc_challenge|0"]);
    expect(found("harness:mmlu_stem")).toHaveLength(19);
    expect(found("harness:mmlu_pro")).toHaveLength(14);
    expect(found("core:core")).toHaveLength(22);
    expect(resolveTask("harness:mmlu").group).toMatchObject({ average: "documents" });
    expect(resolveTask("mmlu").group).toMatchObject({ average: "tasks" });
  });

  it("knows every task of its groups", () => {
    for (const { tasks: members } of taskGroups.values()) {
      for (const member of members) expect(tasks.has(member), member).toBe(true);
    }
  });

  it("names what is near to a name that is not there", () => {
    expect(() => found("helaswag")).toThrow(/No such task: "helaswag". Did you mean "lighteval:hellaswag"/);
    expect(() => found("harness:arc_eazy")).toThrow(/Did you mean "harness:arc_easy"/);
  });

  it("finds a user's own task by its plain name", () => {
    const own = { ...tasks.lookup("lighteval:piqa"), name: "my_piqa", dialect: "mine" };
    registerTask(own);
    expect(found("my_piqa|2")).toEqual(["my_piqa|2"]);
    expect(() => registerTask(own)).toThrow(expect.objectContaining({ code: "NAME_TAKEN" }));
    tasks.unregister("my_piqa");
  });
});
