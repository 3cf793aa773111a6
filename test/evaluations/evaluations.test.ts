import { describe, expect, test } from "vitest";
import {
  BitsPerByteEvaluation,
  type Comparison,
  EncodingEvaluation,
  type Inference,
  inferenceOf,
  PerplexityComparisonEvaluation,
  RolloutEvaluation,
  runEvaluation,
} from "../../src/evaluations/index.js";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { halves, Questions, scripted, Texts, uniform } from "./scripted.js";

describe("a rollout", () => {
  const answers: Record<string, string> = { "1+1=": " 2", "2+2=": " 5", "3+3=": " 6" };
  const rows = [
    ["1+1=", "2"],
    ["2+2=", "4"],
    ["3+3=", "6"],
  ] as const;
  const model = () => scripted({ answer: ({ prompt }) => answers[String(prompt)] });

  test("judges the cleaned answers, and the mean is their share", async () => {
    const report = await runEvaluation(new Questions(rows), model());
    expect(report).toMatchObject({
      name: "questions",
      values: [1, 0, 1],
      value: 2 / 3,
      sum: { numerator: 2, denominator: 3, transform: "identity" },
      measured: 3,
      truncated: 0,
      failures: [],
    });
  });

  test("can be summed, or kept row by row", async () => {
    expect((await runEvaluation(new Questions(rows), model(), { reduce: "sum" })).value).toBe(2);
    const none = await runEvaluation(new Questions(rows), model(), { reduce: "none" });
    expect(none).toMatchObject({ value: 2 / 3, values: [1, 0, 1] });
  });

  test("gives clean the answer alone, without the prompt", async () => {
    const heard: string[] = [];
    class Listening extends Questions {
      override clean(text: string) {
        heard.push(text);
        return super.clean(text);
      }
    }
    await runEvaluation(new Listening(rows), model());
    expect(heard).toEqual([" 2", " 5", " 6"]);
  });

  test("has the tokenizer before it is asked for rows", async () => {
    class Tokenised extends Questions {
      override get(index: number) {
        expect(this.tokenizer.decode([65])).toBe("A");
        return super.get(index);
      }
    }
    expect((await runEvaluation(new Tokenised(rows), model())).measured).toBe(3);
  });

  test("has as much room as the prompt leaves, and a row with none fails", async () => {
    const inference = scripted({ answer: () => "x" }, 10);
    const evaluation = new Questions([
      ["1234", "x"],
      ["123456789012", "x"],
    ]);
    const report = await runEvaluation(evaluation, inference);
    // The byte tokenizer puts a begin token in front of four bytes: five of ten are left.
    expect(inference.model.asked).toMatchObject([{ prompt: "1234", maxNewTokens: 5 }]);
    expect(report).toMatchObject({ values: [1, null], value: 1, measured: 1 });
    expect(report.failures).toMatchObject([{ row: 1, code: "DATA_INVALID" }]);
  });

  test("keeps the end of a prompt that is too long for the room it asks for", async () => {
    class Short extends Questions {
      override maxNewTokens({ blockSize }: Inference) {
        return blockSize - 4;
      }
    }
    const asked = async (compat?: "theseus") => {
      const inference = scripted({ answer: () => "x" }, 10);
      const report = await runEvaluation(new Short([["abcdef", "x"]]), inference, compat && { compat });
      expect(report.truncated).toBe(1);
      return inference.model.asked;
    };
    expect(await asked()).toMatchObject([{ prompt: [99, 100, 101, 102], maxNewTokens: 6 }]);
    expect(await asked("theseus")).toMatchObject([{ prompt: [256, 97, 98, 99] }]);
  });

  test("refuses an allowance without room for a prompt", async () => {
    class Greedy extends Questions {
      override maxNewTokens({ blockSize }: Inference) {
        return blockSize;
      }
    }
    await expect(runEvaluation(new Greedy(rows), model())).rejects.toMatchObject({ code: "CONFIG_VALUE" });
  });

  test("can be asked several times for a row, with draws of its own each time", async () => {
    const inference = scripted({ answer: ({ prompt }) => answers[String(prompt)] });
    const options = { samples_per_prompt: 2, seed: 7 };
    const report = await runEvaluation(new Questions(rows.slice(0, 2)), inference, options);
    expect(report.values).toEqual([1, 1, 0, 0]);
    expect(inference.model.asked).toMatchObject([
      { prompt: "1+1=", seed: "7/0/0" },
      { prompt: "1+1=", seed: "7/0/1" },
      { prompt: "2+2=", seed: "7/1/0" },
      { prompt: "2+2=", seed: "7/1/1" },
    ]);
  });

  test("scores whole batches where it says how", async () => {
    class Lengths extends Questions {
      override score(ys: readonly string[], yHats: readonly string[]) {
        return ys.map((y, place) => y.length / (2 * yHats[place]!.length));
      }
    }
    const report = await runEvaluation(new Lengths(rows), model());
    expect(report).toMatchObject({ values: [0.5, 0.5, 0.5], value: 0.5 });
  });

  test("contains what a row throws", async () => {
    class Moody extends Questions {
      override get(index: number) {
        if (index === 0) throw new Error("no such row");
        return super.get(index);
      }
      override check(expected: string, answer: string) {
        if (expected === "4") throw new Error("I cannot tell");
        return super.check(expected, answer);
      }
    }
    const report = await runEvaluation(new Moody(rows), model());
    expect(report).toMatchObject({ values: [null, null, 1], value: 1 });
    expect(report.failures.map(({ row, message }) => [row, message])).toEqual([
      [0, "no such row"],
      [1, "I cannot tell"],
    ]);
  });

  test("fails where every row fails, and where there is none", async () => {
    class Broken extends Questions {
      override check(): boolean {
        throw new Error("broken");
      }
    }
    await expect(runEvaluation(new Broken(rows), model())).rejects.toThrow(/every row failed.*broken/);
    await expect(runEvaluation(new Questions([]), model())).rejects.toThrow(/at least one row/);
  });

  test("judges neither by check nor by score is an error", async () => {
    class Mute extends RolloutEvaluation {
      readonly name = "mute";
      readonly length = 1;
      get() {
        return ["1+1=", "2"] as const;
      }
    }
    await expect(runEvaluation(new Mute({}), model())).rejects.toThrow(/neither check nor score/);
  });

  test("takes a sample that is the same every time", async () => {
    const many = Array.from({ length: 50 }, (_, row) => [`${row}?`, "yes"] as const);
    const asked = async () => {
      const inference = scripted({ answer: () => "yes" });
      await runEvaluation(new Questions(many), inference, { limit: 5 });
      return inference.model.asked.map((one) => ("prompt" in one ? one.prompt : undefined));
    };
    const first = await asked();
    expect(new Set(first).size).toBe(5);
    expect(await asked()).toEqual(first);
  });
});

describe("an encoding", () => {
  class Successors extends EncodingEvaluation {
    readonly name = "successors";
    constructor(readonly texts: readonly string[]) {
      super({});
    }
    get length() {
      return this.texts.length;
    }
    get(index: number) {
      return this.texts[index]!;
    }
    override check(text: string, predicted: string) {
      return predicted === text.slice(1);
    }
  }
  const successor = (tokens: readonly number[]) => {
    const logits = new Float64Array(256);
    logits[(tokens.at(-1)! + 1) % 256] = 5;
    return logits;
  };

  test("judges what is foreseen at every place but the last", async () => {
    const report = await runEvaluation(new Successors(["abcd", "abdc"]), scripted({ next: successor }));
    expect(report).toMatchObject({ values: [1, 0], value: 0.5 });
  });

  test("reads the first block_size tokens; a text without tokens fails", async () => {
    class Lengths extends Successors {
      override check(_: string, predicted: string) {
        return predicted === "bcd";
      }
    }
    const report = await runEvaluation(new Lengths(["abcdefgh", ""]), scripted({ next: successor }, 4));
    expect(report).toMatchObject({ values: [1, null], truncated: 1 });
  });
});

describe("perplexity", () => {
  test("is the exponential of nats over tokens, each text from its first token on", async () => {
    // Bits: a 1, b 2, c 3: together 1 + (2 + 3 + 2) = 8 of 4 tokens, so 2 bits a token.
    const report = await runEvaluation(new Texts(["a", "bcb"]), scripted({ next: halves }));
    expect(report.value).toBeCloseTo(4, 12);
    expect(report.values[0]).toBeCloseTo(2, 12);
    expect(report.values[1]).toBeCloseTo(2 ** (7 / 3), 12);
    expect(report.sum).toMatchObject({ denominator: 4, transform: "exp" });
    expect(report.sum.numerator).toBeCloseTo(8 * Math.LN2, 12);
    expect(report.higherIsBetter).toBe(false);
  });

  test("reads the first block_size tokens and counts the texts of which there is more", async () => {
    const report = await runEvaluation(new Texts(["aabb", "ab"]), scripted({ next: halves }, 2));
    expect(report.truncated).toBe(1);
    expect(report.sum.denominator).toBe(4);
    expect(report.value).toBeCloseTo(2 ** (5 / 4), 12);
  });

  test("reads everything where windows roll", async () => {
    const report = await runEvaluation(new Texts(["aabb", "ab"]), scripted({ next: halves }, 2), {
      rolling: true,
    });
    expect(report).toMatchObject({ truncated: 0, sum: { denominator: 6 } });
    expect(report.value).toBeCloseTo(2 ** (9 / 6), 12);
  });

  test("takes the name of a special token for text", async () => {
    const report = await runEvaluation(new Texts(["<|eos|>"]), scripted({ next: uniform }));
    expect(report.sum.denominator).toBe(7);
    expect(report.value).toBeCloseTo(256, 9);
  });

  test("does not count an empty text", async () => {
    const report = await runEvaluation(new Texts(["", "a"]), scripted({ next: halves }));
    expect(report).toMatchObject({ measured: 1, failures: [{ row: 0, code: "DATA_INVALID" }] });
  });
});

describe("bits per byte", () => {
  class Bytes extends BitsPerByteEvaluation {
    readonly name = "bytes_bpb";
    constructor(readonly texts: readonly string[]) {
      super({});
    }
    get length() {
      return this.texts.length;
    }
    get(index: number) {
      return this.texts[index]!;
    }
  }

  test("is 8 of a model that knows nothing, whatever the characters are", async () => {
    const report = await runEvaluation(new Bytes(["abc", "né🙂"]), scripted({ next: uniform }));
    expect(report.value).toBeCloseTo(8, 9);
    expect(report.sum.denominator).toBe(10);
  });

  test("counts the bytes that were read, and no others", async () => {
    const inference = scripted({ next: uniform }, 4);
    const report = await runEvaluation(new Bytes(["abcdefgh"]), inference);
    expect(report.value).toBeCloseTo(8, 9);
    expect(report).toMatchObject({ truncated: 1, sum: { denominator: 4 } });
    const rolled = await runEvaluation(new Bytes(["abcdefgh"]), inference, { rolling: true });
    expect(rolled.sum.denominator).toBe(8);
    expect(rolled.value).toBeCloseTo(8, 9);
  });
});

describe("a comparison", () => {
  class Choices extends PerplexityComparisonEvaluation {
    readonly name = "choices";
    constructor(readonly rows: readonly Comparison[]) {
      super({});
    }
    get length() {
      return this.rows.length;
    }
    get(index: number) {
      return this.rows[index]!;
    }
  }

  test("takes the mean over the continuation, its first token included", async () => {
    const report = await runEvaluation(
      new Choices([
        // Means of bits: 1.5 and 2. By the sum the second would win.
        ["aa", ["ab", "b"], 0],
        // The first token alone differs.
        ["aa", ["ca", "aa"], 1],
        ["", ["b", "a"], 1],
      ]),
      scripted({ next: halves }),
    );
    expect(report).toMatchObject({ values: [1, 1, 1], value: 1 });
  });

  test("gives equals to the first", async () => {
    const rows: Comparison[] = [
      ["a", ["c", "d"], 0],
      ["a", ["d", "c"], 1],
    ];
    expect((await runEvaluation(new Choices(rows), scripted({ next: halves }))).values).toEqual([1, 0]);
  });

  test("never lets win what is no number", async () => {
    const scores: Record<string, number> = { good: -2, bad: -3, nan: Number.NaN };
    const inference = scripted({ score: ({ continuation }) => scores[String(continuation)] });
    const rows: Comparison[] = [
      ["Q", ["nan", "bad", "good"], 2],
      ["Q", ["nan", "good"], 0],
      ["Q", ["nan", "nan"], 0],
    ];
    const report = await runEvaluation(new Choices(rows), inference);
    expect(report.values).toEqual([1, 0, null]);
  });

  test("fails a row with a continuation that would be cut, and never lets it win", async () => {
    const rows: Comparison[] = [
      ["aaa", ["a", "aaa"], 1],
      ["aaa", ["a", "b"], 0],
      ["a", ["b", ""], 0],
      ["a", ["b"], 1],
    ];
    // The begin token counts too: five tokens hold it, three of the prefix and one of the continuation.
    const report = await runEvaluation(new Choices(rows), scripted({ next: halves }, 5));
    expect(report).toMatchObject({ values: [null, 1, null, null], value: 1, measured: 1 });
    expect(report.failures[0]!.message).toMatch(/would be cut/);
  });
});

describe("what evaluations ask", () => {
  test("reads no more than the model can", () => {
    const model = new ScriptedLanguageModel({ contextLength: 8 });
    expect(inferenceOf(model).blockSize).toBe(8);
    expect(inferenceOf(model, { blockSize: 3 }).blockSize).toBe(3);
    expect(() => inferenceOf(model, { blockSize: 9 })).toThrow(/expected 1 to 8/);
  });

  test("needs a tokenizer, and a block size where the model tells none", () => {
    const bare = { name: "remote" } as never;
    expect(() => inferenceOf(bare)).toThrow(/its tokenizer is not known/);
    const { tokenizer } = new ScriptedLanguageModel({});
    expect(() => inferenceOf(bare, { tokenizer })).toThrow(/Set block_size/);
    expect(inferenceOf(bare, { tokenizer, blockSize: 5 }).blockSize).toBe(5);
  });

  test("refuses settings that cannot be", async () => {
    await expect(
      runEvaluation(new Texts(["a"]), scripted({ next: halves }), { batch_size: 0 }),
    ).rejects.toMatchObject({ code: "CONFIG_VALUE" });
  });
});
