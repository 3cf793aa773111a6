import { ElenchusError } from "../../base/index.js";
import type { TaskDocument } from "../document.js";
import type { TaskRequest } from "../request.js";
import type { DocumentOptions, Task, TaskRows } from "../task.js";
import { harnessExamples } from "./harnessExamples.js";
import { harnessPrompts } from "./harnessPrompt.js";
import type { HarnessSpec, PlacedDoc } from "./harnessSpec.js";

/** A task of EleutherAI's harness: documents in the order of the data, the first `limit` of them. */
export function harnessTask(spec: HarnessSpec): Task {
  const { splits, shots = 0, shotsFixed = false, sampler = "random" } = spec;
  const evaluated = splits.test ?? splits.validation;
  if (evaluated === undefined) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The task ${spec.name} has neither a test nor a validation split. Name one of them.`,
    );
  }
  const pool = [splits.fewshot ?? [splits.training, splits.validation, splits.test]].flat();
  return {
    name: `harness:${spec.name}`,
    dialect: "harness",
    description: spec.description,
    version: spec.version,
    data: {
      repositories: spec.repositories,
      config: spec.config,
      revision: spec.revision,
      evaluated: [evaluated],
      pool: pool.filter((name) => name !== undefined),
    },
    shots,
    shotsFixed,
    metrics: spec.metrics,
    facts: spec.facts,
    *documents(rows, options) {
      const docs = ownDocs(spec, rows.evaluated);
      // The harness looks at names, not at rows: where neither is named it leaves the document out of its examples too.
      const examples = harnessExamples(ownDocs(spec, rows.pool), {
        sampler,
        shots: options.shots,
        seed: options.seed ?? 1234,
        leavesOut: splits.fewshot === splits.test,
      });
      for (const doc of docs.slice(0, limitOf(options.limit, docs.length))) {
        yield harnessDocument(spec, doc, examples(doc.row), options);
      }
    },
  };
}

/** The rows that belong to a task. */
export function ownDocs(spec: HarnessSpec, rows: TaskRows["evaluated"]): PlacedDoc[] {
  const docs = rows.map((row, doc) => ({ doc, row }));
  return spec.belongs === undefined ? docs : docs.filter(({ row }) => spec.belongs!(row));
}

/** A number of documents, below 1 a share of all, rounded up. */
export function limitOf(limit: number | undefined, count: number): number {
  if (limit === undefined || limit < 0) return count;
  return limit < 1 ? Math.ceil(limit * count) : Math.floor(limit);
}

/** What is asked of one row behind its examples. */
export function harnessDocument(
  spec: HarnessSpec,
  { doc, row }: PlacedDoc,
  examples: readonly PlacedDoc[],
  options: DocumentOptions,
): TaskDocument {
  const question = spec.question(row, { split: "evaluated", row: doc });
  const shown = examples.map((example) =>
    spec.question(example.row, { split: "examples", row: example.doc }),
  );
  const { prompts, delimiter } = harnessPrompts(
    { question, examples: shown, row, rules: spec.rules },
    options,
  );
  const requests = question.asks.map((ask): TaskRequest => {
    if (ask.kind === "rolling") return { kind: "rolling", prompts: question.contexts };
    if (ask.kind === "generate") return { ...ask, prompts };
    const continuations =
      ask.kind === "texts" ? ask.continuations : ask.choices.map((choice) => `${delimiter}${choice}`);
    return { kind: "loglikelihood", prompts, continuations };
  });
  return {
    doc,
    row,
    requests,
    gold: question.gold,
    choices: question.choices ?? [],
    fewshot: examples.map((example) => example.doc),
  };
}
