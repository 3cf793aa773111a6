import { PythonRandom } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { TaskDocument } from "../document.js";
import type { TaskRequest } from "../request.js";
import type { DocumentOptions, Task } from "../task.js";
import { lightevalExamples } from "./lightevalExamples.js";
import { lightevalPrompt } from "./lightevalPrompt.js";
import type { LightevalRecord, LightevalSpec, PlacedRecord } from "./lightevalSpec.js";

/** A task of lighteval: documents are shuffled with seed 42 before `limit` cuts. */
export function lightevalTask(spec: LightevalSpec): Task {
  return {
    name: `lighteval:${spec.name}`,
    dialect: "lighteval",
    description: spec.description,
    version: spec.version,
    data: {
      repositories: spec.repositories,
      config: spec.config,
      revision: spec.revision,
      evaluated: spec.evaluated,
      pool: poolSplits(spec),
    },
    shots: 0,
    metrics: spec.metrics,
    facts: spec.facts,
    scoring: { boundary: "separate" },
    generation: { givesWay: "answer" },
    *documents(rows, options) {
      const random = new PythonRandom(42);
      const docs = random.shuffle(records(spec, rows.evaluated, "evaluated"));
      const pool = options.shots === 0 ? [] : records(spec, rows.pool, "examples");
      const examples = lightevalExamples(pool, {
        select: spec.select,
        shots: options.shots,
        seed: options.seed ?? 0,
        random,
      });
      const limit = options.limit === undefined || options.limit < 0 ? docs.length : options.limit;
      for (const doc of docs.slice(0, limit < 1 ? Math.ceil(limit * docs.length) : limit)) {
        yield lightevalDocument(spec, doc, examples(), options);
      }
    },
  };
}

function poolSplits({ splits, evaluated, fewshotSplit }: LightevalSpec): string[] {
  const others = splits.filter((split) => !evaluated.includes(split));
  const likely = ["train", "dev", "valid", "default"].flatMap((part) =>
    others.filter((split) => split.includes(part)).slice(0, 1),
  );
  return [...(fewshotSplit === undefined ? likely : [fewshotSplit]), ...evaluated];
}

function records(spec: LightevalSpec, rows: readonly TableRow[], split: "evaluated" | "examples") {
  return rows.flatMap((row, doc): PlacedRecord[] => {
    const record = spec.record(row, { split, row: doc });
    return record === undefined ? [] : [{ doc, row, record }];
  });
}

function lightevalDocument(
  spec: LightevalSpec,
  { doc, row, record }: PlacedRecord,
  examples: readonly PlacedRecord[],
  options: DocumentOptions,
): TaskDocument {
  const shown = examples.map((example) => example.record);
  const prompts = [lightevalPrompt(record, shown, options)];
  return {
    doc,
    row,
    requests: [requestOf(spec, record, prompts, options)],
    gold: record.gold,
    choices: record.choices,
    fewshot: examples.map((example) => example.doc),
  };
}

function requestOf(
  { ask }: LightevalSpec,
  { choices, query }: LightevalRecord,
  prompts: ReturnType<typeof lightevalPrompt>[],
  { chat }: DocumentOptions,
): TaskRequest {
  if (ask.kind === "choices") return { kind: "loglikelihood", prompts, continuations: choices };
  if (ask.kind === "rolling") return { kind: "rolling", prompts: [query] };
  // A chat model ends its turn by itself: behind a template only its end token counts.
  return { ...ask, prompts, stop: chat === undefined ? ask.stop : [] };
}
