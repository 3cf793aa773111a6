import { expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { TextDataset } from "../../src/data/index.js";
import { runConfiguredEvaluation, TrainingContext } from "../../src/evaluators/index.js";
import { LanguageModelEvaluator } from "../../src/evaluators/languageModel/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { halves } from "../evaluations/scripted.js";

const [A, B, C] = [97, 98, 99];
const END = 257;

/** After anything: a 1 bit, b 2, c 3; and of the end token, which stands for no byte, as of `d`: 3. */
const next = () => {
  const logits = halves();
  logits[END] = logits[100]!;
  logits[100] = -1e9;
  return logits;
};

const textRows = (...rows: [ids: number[], mask: number[]][]) =>
  new TextDataset({
    maxLength: 8,
    vocabularySize: 259,
    rows: rows.map(([ids, mask]) => ({ ids: Int32Array.from(ids), mask: Uint8Array.from(mask), group: 0 })),
  });

const run = async (testset: unknown, table: object = {}, more: object = {}) => {
  const context = new TrainingContext({ currentRound: 1 });
  const result = await runConfiguredEvaluation({
    context,
    model: new ScriptedLanguageModel({ next }),
    config: { evaluation: { type: "language_model", ...table } },
    testset,
    logger: silentLogger,
    ...more,
  });
  return {
    result,
    status: context.state.get("evaluation_status") as Record<string, { status: string; reason: string }>,
  };
};

test("perplexity, bits per byte and accuracy are of the tokens that have a label", async () => {
  // Labels: b 2 bits; a 1, end 3, b masked. Six bits of three tokens, three of them in two bytes.
  const testset = textRows(
    [
      [A, B],
      [0, 1],
    ],
    [
      [C, A, B, END],
      [0, 1, 0, 1],
    ],
  );
  const { result, status } = await run(testset, { batch_size: 1 });
  expect(result!.metrics).toEqual({
    perplexity: expect.closeTo(2 ** (6 / 3), 5),
    bits_per_byte: expect.closeTo(3 / 2, 5),
    token_accuracy: 1 / 3,
  });
  expect(result!.higherIsBetter).toEqual({ perplexity: false, bits_per_byte: false, token_accuracy: true });
  expect(result!.sums.bits_per_byte).toMatchObject({ denominator: 2, transform: "identity" });
  expect(result!.sums.perplexity).toMatchObject({ denominator: 3, transform: "exp" });
  // By rows: 2 and 4 bits of one and two tokens do not deviate from two each; 0 and 1 of them right do by a third.
  expect(result!.standardErrors).toEqual({
    perplexity: expect.closeTo(0, 5),
    bits_per_byte: expect.closeTo(Math.sqrt(2 * (0.5 ** 2 + 0.5 ** 2)) / 2, 5),
    token_accuracy: expect.closeTo(Math.sqrt(2 * (2 / 9)) / 3, 10),
  });
  expect(status.language_model!.status).toBe("ok");
});

test("bits per byte are not there where no label stands for text", async () => {
  const testset = textRows([
    [C, END],
    [0, 1],
  ]);
  const { result } = await run(testset, {});
  expect(Object.keys(result!.metrics)).toEqual(["perplexity", "token_accuracy"]);
  expect(Object.keys(result!.sums)).toEqual(["perplexity", "token_accuracy"]);
});

test("says how many rows it has read", async () => {
  const rows = Array.from({ length: 3 }, () => [
    [A, B],
    [0, 1],
  ]) as Parameters<typeof textRows>;
  const told: number[][] = [];
  const request = {
    model: new ScriptedLanguageModel({ next }),
    tokenizer: new ScriptedLanguageModel({ next }).tokenizer,
    testset: textRows(...rows),
    signal: new AbortController().signal,
    progress: (...said: number[]) => void told.push(said),
  };
  const evaluator = new LanguageModelEvaluator({ type: "language_model", batch_size: 2 });
  await evaluator.evaluate(request as never);
  expect(told).toEqual([
    [2, 3],
    [3, 3],
  ]);
});

test("rows are those of the sampler, and no more than the limit", async () => {
  const testset = textRows(
    [
      [A, A],
      [0, 1],
    ],
    [
      [A, B],
      [0, 1],
    ],
    [
      [A, B],
      [0, 1],
    ],
  );
  const { result } = await run(testset, {}, { sampler: Int32Array.of(1, 2) });
  expect(result!.metrics).toMatchObject({ perplexity: expect.closeTo(4, 5), token_accuracy: 0 });
  const limited = await run(testset, { limit: 1 });
  expect(limited.result!.sampled).toEqual({ used: 1, total: 3 });
  expect(limited.status.language_model!.status).toBe("partial");
});

test("without bytes there are no bits per byte, without labels nothing at all", async () => {
  const { result } = await run(
    textRows([
      [A, END],
      [0, 1],
    ]),
  );
  expect(Object.keys(result!.metrics)).toEqual(["perplexity", "token_accuracy"]);
  const { status } = await run(
    textRows([
      [A, B],
      [0, 0],
    ]),
  );
  expect(status.language_model).toMatchObject({ status: "skipped" });
});

test("a test set of other rows is said to be one", async () => {
  const { status } = await run({ length: 2, labels: Int32Array.of(0, 1) });
  expect(status.language_model!.reason).toMatch(/Expected a data source of text/);
});
