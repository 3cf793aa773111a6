import { expect, it } from "vitest";
import { sentence } from "../../src/base/index.js";

it("closes a message that was left open, and no other", () => {
  expect(["boom", "Boom.", "why?", "no!", ""].map(sentence)).toEqual(["boom.", "Boom.", "why?", "no!", "."]);
});
