import { describe, expect, test } from "vitest";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { CONTEXT_LENGTH, logitsAfter } from "./bigram.js";
import { languageModelSuite } from "./suites/languageModelSuite.js";

languageModelSuite(
  "scripted",
  async () => new ScriptedLanguageModel({ next: logitsAfter, contextLength: CONTEXT_LENGTH }),
  { forwards: true },
);

describe("a scripted model", () => {
  test("says what its script says, and remembers what it was asked", async () => {
    const heard: unknown[] = [];
    const model = new ScriptedLanguageModel({
      next: logitsAfter,
      answer: ({ prompt }) => (prompt === "Q" ? "A" : undefined),
      score: ({ continuation }) => (continuation === " A" ? -1.5 : undefined),
    });
    const answers = await model.generate([{ prompt: "a" }, { prompt: "Q" }, { prompt: "e" }], {
      maxNewTokens: 1,
      onText: (piece) => heard.push(piece),
    });
    expect(answers.map(({ text }) => text)).toEqual(["b", "A", "d"]);
    expect(heard).toEqual([
      { index: 1, text: "A" },
      { index: 0, text: "b" },
      { index: 2, text: "d" },
    ]);
    const scores = await model.logLikelihood([
      { context: "Q", continuation: " A" },
      { context: "a", continuation: "b" },
    ]);
    expect(scores[0]).toMatchObject({ logLikelihood: -1.5, tokenCount: 1 });
    expect(scores[1]!.logLikelihood).toBeCloseTo(Math.log(1 / 2), 6);
    await model.rollingLogLikelihood(["ab"]);
    expect(model.asked.map(({ kind }) => kind)).toEqual([
      ...["generate", "generate", "generate"],
      ...["logLikelihood", "logLikelihood", "rolling"],
    ]);
    expect(model.asked[1]).toMatchObject({ prompt: "Q" });
  });

  test("refuses what its script has no answer to", async () => {
    const model = new ScriptedLanguageModel({ answer: () => "A" });
    await expect(model.logLikelihood([{ context: "a", continuation: "b" }])).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
  });
});
