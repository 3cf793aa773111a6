import { isDeepStrictEqual } from "node:util";
import { PythonRandom } from "../../base/index.js";
import type { Task } from "../task.js";
import { tooFewExamples } from "./harnessExamples.js";
import type { HarnessSpec } from "./harnessSpec.js";
import { harnessDocument, harnessTask, limitOf, ownDocs } from "./harnessTask.js";

/**
 * A task as the harness ran it before its versions had descriptions in YAML: documents are shuffled with seed 42
 * before a limit cuts, and the same generator goes on to draw the examples of each document. Metrics have bare names.
 */
export function oldHarnessTask(spec: HarnessSpec): Task {
  const task = harnessTask(spec);
  return {
    ...task,
    name: `${task.name}@${spec.version}`,
    *documents(rows, options) {
      const random = new PythonRandom(options.seed ?? 42);
      const docs = random.shuffle(ownDocs(spec, rows.evaluated));
      const pool = ownDocs(spec, rows.pool);
      const ownPool = rows.pool === rows.evaluated;
      const { shots } = options;
      const drawn = ownPool ? shots + 1 : shots;
      if (shots > 0 && drawn > pool.length) throw tooFewExamples(drawn, pool.length);
      for (const doc of docs.slice(0, limitOf(options.limit, docs.length))) {
        const sample = shots === 0 ? [] : random.sample(pool, drawn);
        const others = ownPool ? sample.filter(({ row }) => !isDeepStrictEqual(row, doc.row)) : sample;
        yield harnessDocument(spec, doc, others.slice(0, shots), options);
      }
    },
  };
}
