import type { Fault } from "../fault.js";

/** Mistakes that would change a benchmark's score without breaking anything. */
export const benchmarks: readonly Fault[] = [
  {
    name: "length norm by UTF-16 units",
    file: "tasks/metrics/choiceMetrics.ts",
    from: "logLikelihood / pythonLength(text)",
    to: "logLikelihood / text.length",
    test: "tasks/metrics.test.ts",
    only: "divides by code points, not by UTF-16 units",
  },
  {
    name: "HellaSwag trimmed after its marks",
    file: "tasks/texts/hellaswagText.ts",
    from: '.replaceAll("  ", " ");',
    to: '.replaceAll("  ", " ").trim();',
    test: "tasks/harness.test.ts",
    only: "an ending that began with one keeps a blank",
  },
  {
    name: "an empty instruction taken for none",
    file: "tasks/lighteval/lightevalPrompt.ts",
    from: "if (instruction === undefined || !query.startsWith(instruction)) return query;",
    to: "if (!instruction || !query.startsWith(instruction)) return query;",
    test: "tasks/lighteval.test.ts",
    only: "IFEval: two line ends in front of a trimmed prompt",
  },
  {
    name: "examples drawn from a generator of each document",
    file: "tasks/harness/harnessExamples.ts",
    from: "const sample = random.sample(pool, drawn);",
    to: "const sample = new PythonRandom(seed).sample(pool, drawn);",
    test: "tasks/harness.test.ts",
    only: "are drawn from one generator that goes on",
  },
  {
    name: "lighteval's documents cut before they are shuffled",
    file: "tasks/lighteval/lightevalTask.ts",
    from: 'const docs = random.shuffle(records(spec, rows.evaluated, "evaluated"));',
    to: 'const docs = random.shuffle(records(spec, rows.evaluated, "evaluated").slice(0, options.limit));',
    test: "tasks/lighteval.test.ts",
    only: "shuffles with seed 42 before it cuts",
  },
  {
    name: "a span without tokens that always wins",
    file: "tasks/core/spanAccuracy.ts",
    from: "-logLikelihood / tokenCount);",
    to: "-logLikelihood / Math.max(1, tokenCount));",
    test: "tasks/core.test.ts",
    only: "without tokens win in the first place and nowhere else",
  },
  {
    name: "bootstrap error divided once more",
    file: "tasks/metrics/standardError.ts",
    from: 'convention === "lighteval" ? meanError(drawn) : sampleDeviation(drawn)',
    to: "meanError(drawn)",
    test: "tasks/runTasks.test.ts",
    only: "finds bootstrap errors, too small ones as lighteval has them",
  },
  {
    name: "sample from a set where CPython copies",
    file: "base/pythonRandom.ts",
    from: "if (size <= setSize) {",
    to: "if (size < setSize) {",
    test: "base/pythonRandom.test.ts",
    only: "draws with seed 42 what CPython draws",
  },
];
