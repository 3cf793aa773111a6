import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLogger, systemClock } from "../../src/base/index.js";
import type { Config } from "../../src/config/index.js";
import { evaluation, evaluations } from "../../src/evaluations/index.js";
import { type EvaluatorPreparation, prepareEvaluators } from "../../src/evaluators/index.js";
import { hubSettings } from "../../src/hub/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { Questions, Texts } from "../evaluations/scripted.js";

const { tokenizer } = new ScriptedLanguageModel({});

class Capitals extends Questions {
  override readonly name: string = "capitals_acc";
  constructor() {
    super([["France:", "Paris"]]);
  }
}
class Empty extends Capitals {
  override readonly name = "nothing";
  override get length() {
    return 0;
  }
}
class Unread extends Capitals {
  override readonly name = "unread";
  override load() {
    throw new Error("no capitals.csv");
  }
}
class Endless extends Capitals {
  override readonly name = "endless";
  override load() {
    return new Promise<void>(() => {});
  }
}
class Unmade extends Capitals {
  constructor() {
    super();
    throw new Error("no options");
  }
}
class Counted extends Texts {
  override readonly name = "counted_ppl";
  #texts: readonly string[] = [];
  constructor() {
    super([]);
  }
  /** Rows may be made of tokens. */
  override load() {
    this.#texts = this.tokenizer.encode("ab").map(String);
  }
  override get length() {
    return this.#texts.length;
  }
}

beforeEach(() => {
  for (const [name, kind] of Object.entries({ Capitals, Empty, Unread, Endless, Unmade, Counted })) {
    evaluation(name.toLowerCase(), kind);
  }
});
afterEach(() => {
  for (const name of evaluations.registeredNames()) evaluations.unregister(name);
});

const prepare = (table: object, more: Partial<EvaluatorPreparation> = {}) =>
  prepareEvaluators({
    config: {
      evaluation: [
        { type: "classification", name: "classification" },
        { type: "evaluations", name: "mine", timeout: 60, ...table },
      ],
    } as unknown as Config,
    tokenizer,
    model: { name: "gpt", contextLength: 64 },
    hub: { settings: hubSettings({}), logger: silentLogger, clock: systemClock },
    ...more,
  });

test("evaluations that are well are loaded and pass, the model's whole length too", async () => {
  const table = { evaluations: ["capitals", "counted"], block_size: 64, primary_metric: "counted_ppl" };
  await expect(prepare(table)).resolves.toBeUndefined();
});

test.each([
  [{ evaluations: ["empty"] }, "evaluations", /"empty" has a length of 0: expected at least one row/],
  [{ evaluations: ["unread"] }, "evaluations", /load\(\) of the evaluation "unread" failed: no capitals.csv/],
  [{ evaluations: ["endless"], timeout: 0.01 }, "evaluations", /"endless" took longer than 0.01 s/],
  [{ evaluations: ["unmade"] }, "evaluations", /evaluation "unmade" cannot be made: no options/],
  [
    { evaluations: ["capitals"], primary_metric: "capital_acc" },
    "primary_metric",
    /Did you mean "capitals_acc"\? They give capitals_acc\./,
  ],
  [
    { evaluations: ["capitals"], block_size: 65 },
    "block_size",
    /block_size is 65, but the model gpt reads 64 tokens at once\. Set block_size to at most 64/,
  ],
])("before round 1 %j is found, with its key", async (table, key, message) => {
  await expect(prepare(table)).rejects.toMatchObject({
    code: "EVALUATION_CONFIG",
    message: expect.stringMatching(message),
    details: { faults: [{ path: ["evaluation", 1, key], message: expect.stringMatching(/"mine"/) }] },
  });
});

test("those that the trainer's class declares are looked at too, where they can be seen", async () => {
  await expect(prepare({}, { declared: [Empty] })).rejects.toMatchObject({
    message: expect.stringContaining('"empty" has a length of 0'),
    details: { path: ["trainer", "type"] },
  });
  await expect(prepare({}, { declared: undefined })).resolves.toBeUndefined();
});

test("nothing is loaded without the tokenizer that loading may need, nor refused of a model that is not known", async () => {
  await expect(prepare({ evaluations: ["unread"] }, { tokenizer: undefined })).resolves.toBeUndefined();
  const table = { evaluations: ["capitals"], block_size: 65 };
  await expect(prepare(table, { model: undefined })).resolves.toBeUndefined();
});

test("every evaluator says what keeps it, in one error", async () => {
  const config = {
    evaluation: ["empty", "capitals", "unread"].map((name) => ({
      type: "evaluations",
      name: `of_${name}`,
      timeout: 60,
      evaluations: [name],
    })),
  } as unknown as Config;
  await expect(prepare({}, { config })).rejects.toMatchObject({
    message: expect.stringMatching(/^The evaluator "of_empty" .*\nThe evaluator "of_unread" [^\n]*$/),
    details: {
      path: ["evaluation", 0, "evaluations"],
      faults: [{ path: ["evaluation", 0, "evaluations"] }, { path: ["evaluation", 2, "evaluations"] }],
    },
  });
});
