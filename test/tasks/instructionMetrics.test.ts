import { expect, it } from "vitest";
import type { TaskDocument } from "../../src/tasks/document.js";
import { instructionFacts, instructionMetrics } from "../../src/tasks/metrics/instructionMetrics.js";
import type { TaskAnswers } from "../../src/tasks/metrics/metric.js";

function asked(instruction_id_list: string[], kwargs: unknown[]): TaskDocument {
  const row = { prompt: "p", instruction_id_list, kwargs };
  return { doc: 0, row, requests: [], gold: null, choices: [], fewshot: [] };
}

function answered(text: string): TaskAnswers {
  return {
    scores: [],
    rolls: [],
    generations: [{ text, tokens: [], finish: "stop", truncated: 0 }],
  } as TaskAnswers;
}

const samples: [TaskDocument, TaskAnswers][] = [
  [asked(["punctuation:no_comma", "startend:quotation"], [{}, { num_words: null }]), answered('"a,\n"b"')],
  [asked(["detectable_format:number_bullet_lists"], [{ num_bullets: 1 }]), answered("- a")],
];

it("IFEval's four accuracies are over prompts and over instructions, strict and loose", () => {
  const found = instructionMetrics().map(({ name, score, aggregate, standardError }) => {
    const values = samples.map(([document, answers]) => score(document, answers));
    return [name, values, aggregate(values), standardError(values, { bootstrapDraws: 0 })];
  });
  expect(found).toEqual([
    // One comma in the first line: strictly followed are quotation and bullets, loosely all three.
    ["prompt_level_strict_acc", [0, 1], 0.5, 0.5],
    ["inst_level_strict_acc", [[0, 1], [1]], 2 / 3, expect.closeTo(1 / 3, 15)],
    ["prompt_level_loose_acc", [1, 1], 1, 0],
    ["inst_level_loose_acc", [[1, 1], [1]], 1, 0],
  ]);
});

it("IFEval says how each instruction was followed, and which verdicts hang on a draw", () => {
  const [letters, text] = [["keywords:letter_frequency"], "Hello"];
  const drawn = asked(letters, [{ letter: "#", let_frequency: 1, let_relation: "at least" }]);
  const all = [...samples, [{ ...drawn, doc: 7 }, answered(text)] as const];
  const facts = instructionFacts(all.map(([document, answers]) => ({ document, answers })));
  expect(facts.instructions).toMatchObject({
    "detectable_format:number_bullet_lists": { count: 1, strict_acc: 1, loose_acc: 1 },
    "punctuation:no_comma": { count: 1, strict_acc: 0, loose_acc: 1 },
    "startend:quotation": { count: 1, strict_acc: 1, loose_acc: 1 },
  });
  expect(facts.unstable).toEqual([{ doc: 7, instructions: [0] }]);
});

it("lighteval draws whole prompts for the standard errors over instructions", () => {
  const strict = instructionMetrics()[1]!;
  const values = samples.map(([document, answers]) => strict.score(document, answers));
  const error = strict.standardError(values, { convention: "lighteval", bootstrapDraws: 1000 })!;
  // Draws give 1/2, 2/3 or 1 with odds 1:2:1, so a deviation of 0.182; divided by the root of 1,000 once more.
  expect(error * Math.sqrt(1000)).toBeCloseTo(0.182, 1);
  expect(strict.standardError(values, { convention: "lighteval", bootstrapDraws: 0 })).toBeUndefined();
});
