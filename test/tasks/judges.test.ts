import { describe, expect, it } from "vitest";
import {
  type GenerationRequest,
  type LanguageModel,
  ScriptedLanguageModel,
} from "../../src/language/index.js";
import type { JudgeOptions } from "../../src/scoring/index.js";
import { judgeOf, modelJudges } from "../../src/tasks/index.js";

const OPTIONS: JudgeOptions = { temperature: 0, maxTokens: 8, seed: 0 };
const asking = (content: string) => [{ role: "user" as const, content }];

/** Answers what it is asked, and remembers in which batches; one that asks for "bad" fails with its batch. */
function echoing(batches: string[][]): LanguageModel {
  const model = new ScriptedLanguageModel({});
  return Object.assign(Object.create(model), {
    name: "echo",
    async generate(requests: readonly GenerationRequest[]) {
      const texts = requests.map(({ prompt }) => (prompt as readonly { content: string }[])[0]!.content);
      batches.push(texts);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (texts.includes("bad")) throw new Error("unreadable");
      return texts.map((text) => ({ text, tokens: [1, 2], finish: "stop", truncated: 0 }));
    },
  });
}

describe("a model of this machine as a judge", () => {
  it("gets what has come together as one batch", async () => {
    const batches: string[][] = [];
    const judge = judgeOf(echoing(batches));
    const answers = await Promise.all(
      ["a", "b", "c"].map((text) => judge.ask(asking(text), OPTIONS, undefined)),
    );
    expect(answers.map(({ text, outputTokens }) => [text, outputTokens])).toEqual([
      ["a", 2],
      ["b", 2],
      ["c", 2],
    ]);
    expect(batches).toEqual([["a", "b", "c"]]);
    await judge.ask(asking("d"), OPTIONS, undefined);
    expect(batches).toHaveLength(2);
  });

  it("one question that cannot be read costs the others nothing", async () => {
    const judge = judgeOf(echoing([]));
    const answers = await Promise.allSettled(
      ["a", "bad", "c"].map((text) => judge.ask(asking(text), OPTIONS, undefined)),
    );
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});

it("references of one's own are opened, and released", async () => {
  let released = 0;
  const judges = modelJudges({
    open: async (reference) => ({
      model: echoing([[String(reference)]]),
      release: async () => {
        released++;
      },
    }),
  });
  const judge = await judges.open("run@3", undefined);
  expect((await judge.ask(asking("a"), OPTIONS, undefined)).text).toBe("a");
  await judge.release?.();
  expect(released).toBe(1);
});
