import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkInstructions,
  IfevalAccuracies,
  INSTRUCTION_IDS,
  looseVariants,
} from "../../src/scoring/ifeval/index.js";

const one = (id: string, kwargs: Record<string, unknown> | null, response: string, seed?: number) =>
  checkInstructions(
    { instructionIdList: [id], kwargs: [kwargs], response },
    seed === undefined ? {} : { seed },
  );

/** Arguments that fit, for every instruction that takes some. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  "keywords:existence": { keywords: ["a"] },
  "keywords:frequency": { keyword: "a", frequency: 2, relation: "at least" },
  "keywords:forbidden_words": { forbidden_words: ["a"] },
  "keywords:letter_frequency": { letter: "a", let_frequency: 2, let_relation: "less than" },
  "language:response_language": { language: "en" },
  "length_constraints:number_sentences": { num_sentences: 2, relation: "less than" },
  "length_constraints:number_paragraphs": { num_paragraphs: 2 },
  "length_constraints:number_words": { num_words: 2, relation: "less than" },
  "length_constraints:nth_paragraph_first_word": { num_paragraphs: 2, nth_paragraph: 1, first_word: "a" },
  "detectable_content:number_placeholders": { num_placeholders: 1 },
  "detectable_content:postscript": { postscript_marker: "P.S." },
  "detectable_format:number_bullet_lists": { num_bullets: 1 },
  "detectable_format:number_highlighted_sections": { num_highlights: 1 },
  "detectable_format:multiple_sections": { section_spliter: "Day", num_sections: 1 },
  "combination:repeat_prompt": { prompt_to_repeat: "a" },
  "startend:end_checker": { end_phrase: "a" },
  "change_case:capital_word_frequency": { capital_frequency: 1, capital_relation: "at least" },
};

describe("loose wordings", () => {
  it("are the response, and it without the first line, the last, and both, each with and without stars", () => {
    expect(looseVariants(" *a* \nb\n *c \n d")).toEqual([
      " *a* \nb\n *c \n d",
      "b\n *c \n d",
      "*a* \nb\n *c",
      "b\n *c",
      " a \nb\n c \n d",
      "b\n c \n d",
      "a \nb\n c",
      "b\n c",
    ]);
  });

  it("are empty where a line taken off leaves nothing", () => {
    expect(looseVariants("*a*")).toEqual(["*a*", "", "", "", "a", "", "", ""]);
    expect(looseVariants("")).toEqual(Array(8).fill(""));
  });

  it("know only the line feed", () => {
    expect(looseVariants("a\rb\u2028c\r\nd")[1]).toBe("d");
  });

  it("may be another for each instruction", () => {
    const found = checkInstructions({
      instructionIdList: ["startend:quotation", "punctuation:no_comma"],
      kwargs: [{}, {}],
      response: '"Yes,\nindeed"\n"x"',
    });
    expect(found).toEqual({ strict: [true, false], loose: [true, true], unstable: [] });
  });
});

describe("verdicts", () => {
  const part = fc.constantFrom(
    "a",
    "A,",
    "* ",
    "**b**",
    "\n",
    "\n\n",
    "***",
    '"',
    "P.S.",
    "Day 1",
    "[x]",
    "- ",
    ". ",
    "é",
  );
  const response = fc.array(part, { maxLength: 15 }).map((parts) => parts.join(""));

  it("are never stricter loosely than strictly, and the same each time", () => {
    const ids = INSTRUCTION_IDS.filter((id) => !id.startsWith("language"));
    const kwargs = ids.map((id) => ARGUMENTS[id] ?? {});
    fc.assert(
      fc.property(response, (text) => {
        const request = { instructionIdList: ids, kwargs, response: text };
        const { strict, loose } = checkInstructions(request);
        for (const [index, verdict] of strict.entries()) expect(loose[index] || !verdict).toBe(true);
        expect(checkInstructions(request)).toMatchObject({ strict, loose });
      }),
      { numRuns: 50 },
    );
  });

  it("do not depend on what else is asked", () => {
    const ids = INSTRUCTION_IDS.filter((id) => !id.startsWith("language"));
    fc.assert(
      fc.property(response, fc.shuffledSubarray(ids, { minLength: 1 }), (text, chosen) => {
        const kwargs = chosen.map((id) => ARGUMENTS[id] ?? {});
        const together = checkInstructions({ instructionIdList: chosen, kwargs, response: text });
        expect(together.strict).toEqual(chosen.map((id, index) => one(id, kwargs[index]!, text).strict[0]));
        expect(together.loose).toEqual(chosen.map((id, index) => one(id, kwargs[index]!, text).loose[0]));
      }),
      { numRuns: 25 },
    );
  });
});

describe("draws", () => {
  const sign = { letter: "#", let_frequency: 1, let_relation: "at least" };

  it("replace a sign that is no letter by the one the seed draws", () => {
    // CPython: random.Random(0).choice(string.ascii_letters) is "y", with seed 1 it is "i".
    expect(one("keywords:letter_frequency", sign, "y")).toEqual({
      strict: [true],
      loose: [true],
      unstable: [0],
    });
    expect(one("keywords:letter_frequency", sign, "y", 1)).toMatchObject({ strict: [false], unstable: [0] });
    expect(one("keywords:letter_frequency", sign, "i", 1).strict).toEqual([true]);
  });

  it("leave a verdict stable that every letter gives", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    expect(one("keywords:letter_frequency", sign, letters).unstable).toEqual([]);
    expect(one("keywords:letter_frequency", sign, "").unstable).toEqual([]);
    expect(one("keywords:letter_frequency", { ...sign, letter: "ab" }, "a").unstable).toEqual([0]);
    expect(one("keywords:letter_frequency", { ...sign, letter: "z" }, "a").unstable).toEqual([]);
  });

  it("make a verdict on the language unstable only where the text speaks for several", () => {
    const language = (text: string) => one("language:response_language", { language: "en" }, text).unstable;
    expect(language("This is an ordinary sentence about the weather of yesterday.")).toEqual([]);
    expect(language("Das ist ein ganz gewöhnlicher Satz über das Wetter von gestern.")).toEqual([]);
    expect(language("12345")).toEqual([]);
    expect(language("hello world")).toEqual([0]);
  });

  it("are named by their place among the instructions", () => {
    const { unstable } = checkInstructions({
      instructionIdList: ["punctuation:no_comma", "keywords:letter_frequency"],
      kwargs: [null, sign],
      response: "y",
    });
    expect(unstable).toEqual([1]);
  });
});

describe("a row that cannot be judged", () => {
  it.each<[what: string, id: string, kwargs: Record<string, unknown> | null, message: RegExp]>([
    [
      "unknown instruction",
      "keywords:existense",
      {},
      /No such instruction.*Did you mean "keywords:existence"/,
    ],
    [
      "missing argument",
      "keywords:existence",
      {},
      /keywords:existence: keywords is missing: expected a list/,
    ],
    ["null argument", "keywords:existence", { keywords: null }, /keywords is missing/],
    ["null for all arguments", "keywords:existence", null, /keywords is missing/],
    [
      "empty list",
      "keywords:existence",
      { keywords: [] },
      /keywords = \[\]: expected a list that is not empty/,
    ],
    [
      "empty word",
      "keywords:forbidden_words",
      { forbidden_words: ["a", ""] },
      /forbidden_words\.1 = .*not empty/,
    ],
    [
      "number as text",
      "detectable_format:number_bullet_lists",
      { num_bullets: "3" },
      /num_bullets = "3": expected a number/,
    ],
    ["negative number", "length_constraints:number_paragraphs", { num_paragraphs: -1 }, /expected 0 or more/],
    [
      "unknown relation",
      "length_constraints:number_words",
      { num_words: 1, relation: "at most" },
      /relation = "at most": expected "less than" or "at least"/,
    ],
    ["two faults", "length_constraints:number_words", {}, /num_words is missing.*; relation is missing/],
    ["stray argument", "punctuation:no_comma", { num_words: 3 }, /it takes no num_words/],
    ["bad pattern", "keywords:existence", { keywords: ["C++"] }, /"C\+\+" is no regular expression/],
    [
      "paragraph out of range",
      "length_constraints:nth_paragraph_first_word",
      { num_paragraphs: 1, nth_paragraph: 2, first_word: "a" },
      /beyond num_paragraphs = 1/,
    ],
    [
      "paragraph zero",
      "length_constraints:nth_paragraph_first_word",
      { num_paragraphs: 1, nth_paragraph: 0, first_word: "a" },
      /expected a whole number from 1/,
    ],
  ])("%s", (_, id, kwargs, message) => {
    expect(() => one(id, kwargs, "a")).toThrow(
      expect.objectContaining({ code: "ROW_INVALID", message: expect.stringMatching(message) }),
    );
  });

  it("lists of unequal length, and none at all", () => {
    const request = { instructionIdList: ["punctuation:no_comma"], kwargs: [], response: "a" };
    expect(() => checkInstructions(request)).toThrow(/kwargs has 0 entries for 1 instructions/);
    expect(() => checkInstructions({ ...request, instructionIdList: [] })).toThrow(
      /instruction_id_list is empty/,
    );
  });

  it("names from outside are data", () => {
    expect(() => one("__proto__", {}, "a")).toThrow(/No such instruction/);
    expect(() => one("punctuation:no_comma", JSON.parse('{"__proto__": 1, "constructor": 2}'), "a")).toThrow(
      /takes no/,
    );
  });
});

it("whole numbers may come as bigint, and fractions as they are", () => {
  expect(
    one("length_constraints:number_words", { num_words: 2n, relation: "at least" }, "a b").strict,
  ).toEqual([true]);
  expect(
    one("length_constraints:number_words", { num_words: 1.5, relation: "at least" }, "a").strict,
  ).toEqual([false]);
});

it("a null of an argument that belongs to another instruction is dropped", () => {
  expect(one("punctuation:no_comma", { num_words: null, relation: undefined }, "a").strict).toEqual([true]);
});

describe("accuracies", () => {
  const judged = (ids: string[], strict: boolean[], loose: boolean[]) => ({
    instructionIdList: ids,
    strict,
    loose,
  });

  it("are over prompts and over all instructions, with the sample formula", () => {
    const accuracies = new IfevalAccuracies();
    accuracies.add(judged(["a", "b"], [true, false], [true, true]));
    accuracies.add(judged(["b"], [true], [true]));
    accuracies.add(judged(["a"], [false], [false]));
    const metrics = accuracies.metrics();
    // Prompts strict 0, 1, 0 and loose 1, 1, 0; instructions strict 1, 0, 1, 0 and loose 1, 1, 1, 0.
    expect(metrics.prompt_level_strict_acc).toBeCloseTo(1 / 3, 15);
    expect(metrics.prompt_level_strict_acc_stderr).toBeCloseTo(1 / 3, 15);
    expect(metrics.inst_level_strict_acc).toBe(0.5);
    expect(metrics.inst_level_strict_acc_stderr).toBeCloseTo(Math.sqrt(1 / 12), 15);
    expect(metrics.prompt_level_loose_acc).toBeCloseTo(2 / 3, 15);
    expect(metrics.prompt_level_loose_acc_stderr).toBeCloseTo(1 / 3, 15);
    expect(metrics.inst_level_loose_acc).toBe(0.75);
    expect(metrics.inst_level_loose_acc_stderr).toBeCloseTo(0.25, 15);
    expect([...accuracies.instructions()]).toEqual([
      ["a", { count: 2, strict: 0.5, loose: 0.5 }],
      ["b", { count: 2, strict: 0.5, loose: 1 }],
    ]);
  });

  it("have no standard error for one prompt, and nothing for none", () => {
    const accuracies = new IfevalAccuracies();
    expect(Object.values(accuracies.metrics())).toEqual(Array(8).fill(null));
    accuracies.add(judged(["a", "b"], [true, false], [true, true]));
    expect(accuracies.metrics()).toMatchObject({
      prompt_level_strict_acc: 0,
      prompt_level_strict_acc_stderr: null,
      inst_level_strict_acc_stderr: 0.5,
    });
  });
});
