import type { HarnessQuestion } from "./harnessSpec.js";

/** A question with choices, of which each is a continuation behind a blank. */
export function choiceQuestion(context: string, choices: readonly string[], gold: number): HarnessQuestion {
  return {
    contexts: [context],
    exampleAnswer: choices.at(gold) ?? "",
    asks: [{ kind: "choices", choices }],
    gold,
    choices,
  };
}
