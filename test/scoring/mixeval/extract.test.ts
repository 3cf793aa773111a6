import { describe, expect, it } from "vitest";
import { extractChoice } from "../../../src/scoring/mixeval/extractChoice.js";
import { extractFreeForm } from "../../../src/scoring/mixeval/extractFreeForm.js";

const LETTERS = ["A", "B", "C", "D"];
const OPTIONS = ["a life process", "size differences", "plasma membranes", "Ivory"];

/** Written by hand in the manner of different models; none comes from a file of answers. */
const CHOICES: readonly [string, string | null][] = [
  ["B", "B"],
  ["b", "B"],
  ["(C)", "C"],
  ["**D**", "D"],
  ["**D.** Ivory", "D"],
  ["C. plasma membranes", "C"],
  ["The answer is B.", "B"],
  ["The correct answer is **C**: plasma membranes.", "C"],
  ["Answer: (D)", "D"],
  ["Final answer: $\\boxed{A}$", "A"],
  ["I think the best choice would be option C, since membranes differ.", "C"],
  ["A cell is small. The answer is therefore B.", "B"],
  ["A common feature is their size, so B", "B"],
  ["A good question! I would say C.", "C"],
  ["Size differences, clearly.", "B"],
  ["It must be ivory because the tusks are shown.", "D"],
  ["Both A and B are wrong. The right answer is D.", "D"],
  ["Let's see. Option A is wrong, option B too.\n\nAnswer: C", "C"],
  ["\n\nB\n\nExplanation: cells differ.", "B"],
  ["The answer is a mystery to everyone.", null],
  ["I am unable to answer this question.", null],
  ["", null],
];

describe("the letter that an answer chooses", () => {
  it.each(CHOICES)("%j", (response, letter) => {
    expect(extractChoice(response, LETTERS, OPTIONS)).toBe(letter);
  });

  it("takes the option whose text stands in the answer, not one inside it", () => {
    expect(extractChoice("New York City", ["A", "B"], ["York", "New York City"])).toBe("B");
    expect(extractChoice("York or London, who knows", ["A", "B"], ["York", "London"])).toBe(null);
  });

  it("knows letters of long lists, and needs none where there is one option", () => {
    const letters = [..."ABCDEFGHIJ"];
    expect(
      extractChoice(
        "The answer is J.",
        letters,
        letters.map((letter) => `option ${letter}`),
      ),
    ).toBe("J");
    expect(extractChoice("whatever", ["A"], ["only"])).toBe("A");
  });
});

const FREE: readonly [string, string[], boolean, boolean][] = [
  ["It was **375,000** tokens.", ["375000"], false, true],
  ["three eighths? No: 3/8 of them", ["0.375"], false, true],
  ["She has twelve cats.", ["12"], false, true],
  ["There are 12 cats.", ["twelve"], false, true],
  ["About $5.00", ["5"], false, true],
  ["40 %", ["40"], false, true],
  ["-7 degrees", ["-7"], false, true],
  ["from 10-15 people", ["-15"], false, false],
  ["The Beatles, of course", ["beatles"], false, true],
  ["Beyoncé", ["Beyonce"], false, true],
  ["It's Schindler’s List", ["Schindler's list"], false, true],
  ["a caterpillar", ["cat"], false, false],
  ["Zambian", ["Zambia", "Zambian"], false, true],
  ["", ["anything"], false, false],
  ["Step 1: 3 + 4 = 7\nStep 2: 7 * 2 = 14\nTherefore, she has **14** apples in 2 days.", ["14"], true, true],
  ["Step 1: 3 + 4 = 7\nStep 2: 7 * 2 = 14\nTherefore, she has **14** apples.", ["7"], true, false],
  ["Therefore the result is 3, not 4.\nThe answer is 3", ["3"], true, true],
  ["so $\\boxed{\\frac{39}{64}}$", ["\\dfrac{39}{64}"], true, true],
  ["#### 5,120", ["5120"], true, true],
  ["They arrive at **6:30 p.m.**", ["\\text{6:30 p.m.}"], true, true],
  ["Therefore, the answer is **No**.", ["No"], true, true],
];

describe("a free-form answer", () => {
  it.each(FREE)("%j against %j (step by step: %s) is right: %s", (response, targets, reasons, right) => {
    expect(extractFreeForm(response, targets, reasons).right).toBe(right);
  });
});
