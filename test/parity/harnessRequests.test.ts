import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { createRowLoader, type RowLoader, resolveTask } from "../../src/tasks/index.js";
import { pythonJson } from "../support/pythonJson.js";

interface Case {
  task: string;
  shots: number;
  limit: number;
  requests: number;
  sha256: string;
  first: [string, string | string[]];
}
/** What goldens/harness_requests.py has made with lm_eval from PyPI and its own task files. */
const { lm_eval: version, cases } = JSON.parse(
  readFileSync(new URL("goldens/harness_requests.json", import.meta.url), "utf8"),
) as { lm_eval: string; cases: Case[] };

let loader: RowLoader;
beforeAll(async () => {
  const dataDir = join(process.env.PARITY_DATA!, "benchmarks");
  loader = await createRowLoader({
    dataDir,
    sources: fileURLToPath(new URL("sources.json", import.meta.url)),
  });
});

describe(`requests of lm_eval ${version} itself`, () => {
  it.each(cases)("$task with $shots shots", async ({ task: name, shots, limit, ...expected }) => {
    const { task } = resolveTask(`harness:${name}`).tasks[0]!;
    const { rows } = await loader.load(task, shots > 0);
    const asked = [...task.documents(rows, { shots, limit })].flatMap(({ requests }) =>
      requests.flatMap((request) =>
        request.prompts.flatMap((prompt) =>
          request.kind === "loglikelihood"
            ? request.continuations.map((continuation) => [prompt, continuation])
            : [[prompt, request.kind === "generate" ? request.stop : null]],
        ),
      ),
    );
    expect(asked[0]).toEqual(expected.first);
    expect(asked).toHaveLength(expected.requests);
    expect(createHash("sha256").update(pythonJson(asked)).digest("hex")).toBe(expected.sha256);
  });
});
