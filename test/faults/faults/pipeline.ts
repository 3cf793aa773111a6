import type { Fault } from "../fault.js";

/** Mistakes in evaluations of rows: what they fetch, what they keep, and what they do twice. */
export const pipeline: readonly Fault[] = [
  {
    name: "an evaluation that judges rows again which were judged before",
    file: "tasks/pipeline/scoreRows.ts",
    from: "if (found !== undefined) known.set(place, { ...found, index: place });",
    to: "",
    test: "tasks/pipeline/runEvalTask.test.ts",
    only: "without asking or judging anything twice",
  },
  {
    name: "a limit that scores rows of an earlier run with a larger one",
    file: "tasks/pipeline/scoreRows.ts",
    from: "if (!takes(index)) continue;",
    to: "",
    test: "tasks/pipeline/runEvalTask.test.ts",
    only: "takes another limit than the run before",
  },
  {
    name: "sampling params that no model hears of",
    file: "tasks/generators/inferenceGenerator.ts",
    from: "{ ...this.#settings, signal }",
    to: "{ signal }",
    test: "tasks/pipeline/runEvalTask.test.ts",
    only: "heeds the sampling params",
  },
  {
    name: "a host whose first address is public passes with a private one behind it",
    file: "tasks/datasets/publicAddress.ts",
    from: "addresses.find(({ address }) => !isPublic(address))",
    to: "addresses.slice(0, 1).find(({ address }) => !isPublic(address))",
    test: "tasks/datasets/download.test.ts",
    only: "where any address of its host is private",
  },
  {
    name: "a link that leads out of the folder of data",
    file: "tasks/datasets/localFile.ts",
    from: "if (!isBelow(real, folder)) throw refused(name);",
    to: "",
    test: "tasks/datasets/datasets.test.ts",
    only: "only below the folder that is",
  },
  {
    name: "a key that goes to whichever server is asked",
    file: "language/references/openModel.ts",
    from: 'new URL(url).hostname === "api.openai.com" ? endpointKey(environment) : undefined',
    to: "endpointKey(environment)",
    test: "language/references.test.ts",
    only: "never another server's",
  },
];
