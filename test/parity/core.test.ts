import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pythonLength } from "../../src/base/index.js";
import {
  coreBaselines,
  coreScore,
  coreTasks,
  createRowLoader,
  resolveTask,
  showDocuments,
  taskGroups,
} from "../../src/tasks/index.js";

const core = join(process.env.PARITY_DATA!, "core");
const json = (name: string) => JSON.parse(readFileSync(join(core, name), "utf8"));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

interface Prompts {
  type: string;
  rows: number;
  num_fewshot: number;
  first_20_source_lines: number[];
  examples: {
    idx: number;
    source_line: number;
    fewshot_idx: number[];
    prompts: { chars: number; sha256: string }[];
    prompt_text?: string[];
    gold?: number;
  }[];
  max_per_task_50?: { rows: number; examples: { idx: number; fewshot_idx: number[] }[] };
}

async function shown(label: string, limit?: number) {
  const loader = await createRowLoader({ dataDir: core });
  const { task, shots } = resolveTask(`core:${label}`).tasks[0]!;
  const { rows } = await loader.load(task, shots > 0);
  return showDocuments(task.documents(rows, { shots, limit }));
}

describe("prompts of CORE", () => {
  it.each(Object.entries(json("golden/prompts.json") as Record<string, Prompts>))(
    "%s",
    async (label, expected) => {
      const all = await shown(label);
      const order = all.map(({ doc }) => doc);
      expect(all).toHaveLength(expected.rows);
      expect(order.slice(0, 20)).toEqual(expected.first_20_source_lines.slice(0, expected.rows));
      for (const example of expected.examples) {
        const { doc, prompts, fewshot, gold } = all[example.idx]!;
        expect(doc).toBe(example.source_line);
        expect(fewshot).toEqual(example.fewshot_idx.map((place) => order[place]));
        expect(
          prompts.map((text) => ({ chars: pythonLength(String(text)), sha256: sha256(String(text)) })),
        ).toEqual(example.prompts);
        if (example.prompt_text !== undefined) expect(prompts).toEqual(example.prompt_text);
        if (example.gold !== undefined) expect(gold).toBe(example.gold);
      }
      const cut = expected.max_per_task_50;
      if (cut === undefined) return;
      const fifty = await shown(label, 50);
      expect(fifty).toHaveLength(cut.rows);
      for (const { idx, fewshot_idx } of cut.examples) {
        expect(fifty[idx]!.fewshot).toEqual(fewshot_idx.map((place) => order[place]));
      }
    },
  );
});

interface TaskFacts {
  label: string;
  icl_task_type: string;
  dataset_uri: string;
  num_fewshot: number;
  continuation_delimiter: string;
  random_baseline_percent: number;
  random_baseline_percent_dclm_v2: number;
}

describe("the tasks of CORE", () => {
  const { tasks } = json("tasks.json") as { tasks: TaskFacts[] };

  it("are the 22 of the bundle, in its order", () => {
    const own = coreTasks.map(({ label, form, file, shots, delimiter = " " }) => ({
      label,
      icl_task_type: form,
      dataset_uri: file,
      num_fewshot: shots,
      continuation_delimiter: delimiter,
    }));
    expect(own).toEqual(
      tasks.map(({ label, icl_task_type, dataset_uri, num_fewshot, continuation_delimiter }) => ({
        label,
        icl_task_type,
        dataset_uri,
        num_fewshot,
        continuation_delimiter,
      })),
    );
    expect(taskGroups.get("core:core")!.tasks).toEqual(tasks.map(({ label }) => `core:${label}`));
  });

  it("have the baselines of both tables", () => {
    const [v1, v2] = [coreBaselines("v1"), coreBaselines("v2")];
    for (const task of tasks) {
      expect(v1.get(task.label) ?? 0).toBe(task.random_baseline_percent);
      expect(v2.get(task.label) ?? 0).toBe(task.random_baseline_percent_dclm_v2);
    }
  });
});

interface Aggregate {
  name: string;
  accuracy: Record<string, number>;
  correct?: Record<string, number>;
  centered?: Record<string, number>;
  core?: number;
  core_with_v2_baselines?: number;
  core_v1?: number;
  core_v2?: number;
}

describe("CORE from published accuracies", () => {
  it.each(json("golden/aggregate.json") as Aggregate[])("$name", (published) => {
    const accuracies = new Map(Object.entries(published.accuracy));
    const [v1, v2] = [coreScore(accuracies), coreScore(accuracies, coreBaselines("v2"))];
    for (const [label, value] of Object.entries(published.centered ?? {})) {
      expect(v1.centred.get(label), label).toBeCloseTo(value, 5);
    }
    if (published.core !== undefined) expect(v1.metric).toBeCloseTo(published.core, 6);
    if (published.core_with_v2_baselines !== undefined) {
      expect(v2.metric).toBeCloseTo(published.core_with_v2_baselines, 9);
    }
    if (published.core_v1 !== undefined) expect(v1.metric).toBeCloseTo(published.core_v1, 9);
    if (published.core_v2 !== undefined) expect(v2.metric).toBeCloseTo(published.core_v2, 9);
  });
});
