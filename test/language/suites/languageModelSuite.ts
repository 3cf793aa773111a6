import { beforeAll, describe, expect, test } from "vitest";
import type { GenerationOptions, LanguageModel, LogLikelihoodRequest } from "../../../src/language/index.js";
import { BEGIN, END, logitsAfter } from "../bigram.js";

const { log } = Math;

/**
 * What every language model must keep to.
 * @param make the model of `bigram.ts`: its tokens are bytes, it reads 8 of them at once
 * @param forwards whether it answers `forward`
 */
export function languageModelSuite(
  name: string,
  make: () => Promise<LanguageModel>,
  { forwards }: { forwards: boolean },
): void {
  describe(`the language model ${name}`, () => {
    let model: LanguageModel;
    beforeAll(async () => {
      model = await make();
    });
    const scored = async (context: string, continuation: string, options = {}) =>
      (await model.logLikelihood([{ context, continuation }], options))[0]!;

    describe("scores a continuation", () => {
      test("by the probabilities of its tokens after the context", async () => {
        const result = await scored("a", "bc");
        expect(result.logLikelihood).toBeCloseTo(log(1 / 2) + log(7 / 8), 5);
        expect(result.tokenLogLikelihoods).toHaveLength(2);
        expect(result.tokenLogLikelihoods[0]).toBeCloseTo(log(1 / 2), 5);
        expect(result.tokenLogLikelihoods[1]).toBeCloseTo(log(7 / 8), 5);
        expect(result).toMatchObject({ greedy: true, tokenCount: 2, truncated: 0 });
      });

      test("and says whether every token was the most likely one", async () => {
        expect((await scored("a", "bca")).greedy).toBe(true);
        expect((await scored("a", "ca")).greedy).toBe(false);
        expect((await scored("a", "ba")).greedy).toBe(false);
      });

      test("of uniform probabilities, as many times the same", async () => {
        // After z all 259 tokens are alike; the first of them is not z.
        const result = await scored("z", "zzz");
        expect(result.logLikelihood).toBeCloseTo(-3 * log(259), 4);
        expect(result.greedy).toBe(false);
      });

      test("in the order of the requests, whatever else is asked", async () => {
        const requests = [
          ["a", "b"],
          ["abcab", "c"],
          ["", "a"],
          ["abcab", "a"],
          ["a", "b"],
          ["abcab", "cab"],
          ["c", "ab c"],
        ].map(
          ([context, continuation]): LogLikelihoodRequest => ({
            context: context!,
            continuation: continuation!,
          }),
        );
        const together = await model.logLikelihood(requests);
        for (const [index, request] of requests.entries()) {
          const [alone] = await model.logLikelihood([request]);
          expect(together[index]!.logLikelihood).toBeCloseTo(alone!.logLikelihood, 5);
          expect({ ...together[index], logLikelihood: 0, tokenLogLikelihoods: [] }).toEqual({
            ...alone,
            logLikelihood: 0,
            tokenLogLikelihoods: [],
          });
        }
        expect(await model.logLikelihood([])).toEqual([]);
      });

      test("after the begin token where there is no context", async () => {
        const result = await scored("", "ab");
        expect(result.logLikelihood).toBeCloseTo(log(1 / 2) + log(1 / 2), 5);
        expect(result.tokenCount).toBe(2);
      });

      test("after its own begin token, which is then not scored", async () => {
        const result = await scored("", "<|bos|>ab");
        expect(result.logLikelihood).toBeCloseTo(log(1 / 2) + log(1 / 2), 5);
        expect(result.tokenCount).toBe(2);
      });

      test("with the white space that ends the context, or without", async () => {
        const moved = await scored("a ", "b");
        expect(moved.logLikelihood).toBeCloseTo(log(1 / 4) + log(3 / 4), 5);
        expect(moved.tokenCount).toBe(2);
        const left = await scored("a ", "b", { moveSpace: false });
        expect(left.logLikelihood).toBeCloseTo(log(3 / 4), 5);
        expect(left.tokenCount).toBe(1);
      });

      test("after a context that is nothing but white space, as after none", async () => {
        const result = await scored(" ", "b");
        expect(result.tokenCount).toBe(2);
        expect(result.tokenLogLikelihoods[1]).toBeCloseTo(log(3 / 4), 5);
      });

      test("of tokens as they are", async () => {
        const [result] = await model.logLikelihood([{ context: [99], continuation: [97, 98] }]);
        expect(result!.logLikelihood).toBeCloseTo(log(1 / 2) + log(1 / 2), 5);
        const [end] = await model.logLikelihood([{ context: [BEGIN, 99], continuation: [END] }]);
        expect(end!.logLikelihood).toBeCloseTo(log(1 / 4), 5);
      });

      test("and counts what of a long context is left out, on either side", async () => {
        // Begin, 12 and 2 tokens; 9 have room, the last of which is not read.
        const left = await scored("bbbbbbbbbbba", "bc");
        expect(left.truncated).toBe(6);
        expect(left.logLikelihood).toBeCloseTo(log(1 / 2) + log(7 / 8), 5);
        const right = await scored("bbbbbbbbbbba", "ca", { truncation: "right" });
        expect(right.truncated).toBe(6);
        expect(right.logLikelihood).toBeCloseTo(log(7 / 8) + log(1 / 2), 5);
        const shorter = await scored("bbba", "bc", { maxLength: 3 });
        expect(shorter.truncated).toBe(3);
        await expect(scored("bbbbbbbbbbba", "bc", { truncation: "refuse" })).rejects.toMatchObject({
          code: "DATA_INVALID",
          message: expect.stringContaining("Request 0 is 6 tokens too long"),
        });
      });

      test("of just as many tokens as it reads at once, and of no more", async () => {
        expect((await scored("zc", "abcabcab")).tokenCount).toBe(8);
        await expect(scored("zc", "abcabcabc")).rejects.toMatchObject({
          code: "DATA_INVALID",
          message: expect.stringContaining("9 tokens, and the model reads 8 at once"),
        });
      });

      test("but none without tokens", async () => {
        await expect(scored("a", "")).rejects.toMatchObject({ code: "DATA_INVALID" });
        await expect(scored("", "<|bos|>")).rejects.toMatchObject({ code: "DATA_INVALID" });
      });
    });

    describe("scores whole texts", () => {
      const rolled = async (text: string, options = {}) =>
        (await model.rollingLogLikelihood([text], options))[0]!;
      const text = "abcabcabcabcabcabcab";
      // After the begin token a; then 7 times b after a, 6 times c after b and a after c.
      const expected = log(1 / 2) + 7 * log(1 / 2) + 6 * (log(7 / 8) + log(1 / 2));

      test("each token once, in windows that share one token", async () => {
        const result = await rolled(text, { bos: "never" });
        expect(result.logLikelihood).toBeCloseTo(expected, 4);
        expect(result).toMatchObject({ tokenCount: 20, windows: 3 });
        expect(result.tokenLogLikelihoods[1]).toBeCloseTo(log(1 / 2), 5);
        expect(result.tokenLogLikelihoods[2]).toBeCloseTo(log(7 / 8), 5);
      });

      test("or that share more, said by context or by stride", async () => {
        // 8, then 5 each: 8 + 5 + 5 + 2.
        for (const options of [{ context: 4 }, { stride: 5 }, { context: 4, stride: 5 }]) {
          const result = await rolled(text, { bos: "never", ...options });
          expect(result.logLikelihood).toBeCloseTo(expected, 4);
          expect(result).toMatchObject({ tokenCount: 20, windows: 4 });
        }
      });

      test("with the begin token that the tokenizer puts there, as one more", async () => {
        const result = await rolled("ab");
        expect(result.tokenCount).toBe(3);
        expect(result.tokenLogLikelihoods[0]).toBeLessThan(-100);
        expect(result.tokenLogLikelihoods[1]).toBeCloseTo(log(1 / 2), 5);
      });

      test("several at once, and an empty one as nothing", async () => {
        const results = await model.rollingLogLikelihood(["a", "", "ab"], { bos: "never" });
        expect(results.map(({ tokenCount, windows }) => [tokenCount, windows])).toEqual([
          [1, 1],
          [0, 0],
          [2, 1],
        ]);
        expect(results[0]!.logLikelihood).toBeCloseTo(log(1 / 2), 5);
        expect(results[1]!.logLikelihood).toBe(0);
        expect(results[2]!.logLikelihood).toBeCloseTo(log(1 / 2) + log(1 / 2), 5);
      });

      test("but not in windows that cannot be", async () => {
        const refused = { code: "CONFIG_VALUE" };
        await expect(rolled("ab", { context: 0 })).rejects.toMatchObject(refused);
        await expect(rolled("ab", { context: 9 })).rejects.toMatchObject(refused);
        await expect(rolled("ab", { stride: 2.5 })).rejects.toMatchObject(refused);
        await expect(rolled("ab", { context: 2, stride: 3 })).rejects.toMatchObject(refused);
      });
    });

    describe("generates", () => {
      const answered = async (prompt: string, options: GenerationOptions = {}) =>
        (await model.generate([{ prompt }], options))[0]!;

      test("the most likely tokens, up to the allowance", async () => {
        expect(await answered("a", { maxNewTokens: 5 })).toMatchObject({
          text: "bcabc",
          finish: "length",
          truncated: 0,
        });
        expect((await answered("a", { maxNewTokens: 1 })).text).toBe("b");
      });

      test("until the end token, which is no part of the text", async () => {
        expect(await answered("e", { maxNewTokens: 5 })).toMatchObject({ text: "d", finish: "stop" });
        expect(await answered("d", { maxNewTokens: 5 })).toMatchObject({ text: "", finish: "stop" });
      });

      test("until a stop text, also one that spans tokens", async () => {
        expect(await answered("a", { maxNewTokens: 6, stop: ["ab"] })).toMatchObject({
          text: "bc",
          finish: "stop",
        });
        expect(await answered("a", { maxNewTokens: 5, stop: ["x", "cab"] })).toMatchObject({
          text: "b",
          finish: "stop",
        });
        // A stop text that has only begun when there is no more is text.
        expect(await answered("a", { maxNewTokens: 5, stop: ["bcx", "bcb"] })).toMatchObject({
          text: "bcabc",
          finish: "length",
        });
      });

      test("for each request as if it were alone", async () => {
        const requests = [
          { prompt: "a", maxNewTokens: 4 },
          { prompt: "e" },
          { prompt: "abc", stop: ["c"] },
          { prompt: "a", maxNewTokens: 2 },
        ];
        const results = await model.generate(requests, { maxNewTokens: 3 });
        expect(results.map(({ text, finish }) => [text, finish])).toEqual([
          ["bcab", "length"],
          ["d", "stop"],
          ["ab", "stop"],
          ["bc", "length"],
        ]);
      });

      test("by a seed: the same seed the same, another seed another", async () => {
        const requests = ["one", "two", "one"].map((seed) => ({ prompt: "z", seed }));
        const options = { temperature: 1, maxNewTokens: 6, bos: "never" } as const;
        const [one, two, again] = await model.generate(requests, options);
        expect(again).toEqual(one);
        expect(two!.text).not.toBe(one!.text);
        expect(await model.generate([requests[1]!], options)).toEqual([two]);
      });

      test("and tells the text as it comes", async () => {
        const heard = ["", ""];
        const results = await model.generate([{ prompt: "a", stop: ["ca"] }, { prompt: "e" }], {
          maxNewTokens: 6,
          onText: ({ index, text }) => {
            heard[index] += text;
          },
        });
        expect(heard).toEqual(["b", "d"]);
        expect(results.map(({ text }) => text)).toEqual(heard);
      });

      test("nothing with settings that make no sense", async () => {
        for (const options of [{ temperature: -1 }, { topP: 0 }, { topK: 1.5 }, { maxNewTokens: 0 }]) {
          await expect(answered("a", options)).rejects.toMatchObject({ code: "CONFIG_VALUE" });
        }
      });
    });

    test(forwards ? "gives out logits" : "refuses to give out logits", async () => {
      const rows = [[97], [], [98, 99, 97]];
      const asked = model.forward(rows);
      if (!forwards) {
        await expect(asked).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
        return;
      }
      const results = await asked;
      expect(results.map(({ length }) => length)).toEqual([1, 0, 3]);
      const [one, , three] = results;
      expect(one!.vocabularySize).toBe(259);
      expect(one!.data).toEqual(logitsAfter([97]));
      expect(three!.data.subarray(259, 518)).toEqual(logitsAfter([99]));
      expect(three!.data).toHaveLength(777);
    });

    test.each([
      [{ maxLength: 0 }, "maxLength = 0"],
      [{ maxLength: 2.5 }, "maxLength = 2.5"],
      [{ bos: "sometimes" }, 'bos = "sometimes"'],
      [{ specialTokens: "skip" }, 'specialTokens = "skip"'],
    ])("follows no option such as %j", async (wrong, shown) => {
      const refused = { code: "CONFIG_VALUE", message: expect.stringContaining(shown) };
      const options = wrong as object;
      await expect(scored("a", "b", options)).rejects.toMatchObject(refused);
      await expect(model.rollingLogLikelihood(["ab"], options)).rejects.toMatchObject(refused);
      await expect(model.generate([{ prompt: "a" }], options)).rejects.toMatchObject(refused);
    });

    test("cuts and joins by no rule that it does not know", async () => {
      for (const wrong of [{ boundary: "both" }, { truncation: "middle" }, { moveSpace: "yes" }]) {
        await expect(scored("a", "b", wrong)).rejects.toMatchObject({ code: "CONFIG_VALUE" });
      }
    });

    test("tells of its requests as they are answered, each once", async () => {
      const told: number[] = [];
      const options = { onAnswered: (count: number) => void told.push(count) };
      const sum = () => told.splice(0).reduce((total, count) => total + count, 0);
      const requests = ["b", "ca", "bc", "b"].map((continuation) => ({ context: "a", continuation }));
      await model.logLikelihood(requests, options);
      expect(sum()).toBe(4);
      await model.rollingLogLikelihood(["abcabcabcabcabcabcab", "", "ab"], options);
      expect(sum()).toBe(3);
      await model.generate([{ prompt: "a" }, { prompt: "c" }], { ...options, maxNewTokens: 3 });
      expect(sum()).toBe(2);
    });

    test("stops when told to", async () => {
      const options = { signal: AbortSignal.abort(new Error("enough")) };
      const requests = [{ context: "a", continuation: "b" }];
      await expect(model.logLikelihood(requests, options)).rejects.toThrow("enough");
      await expect(model.rollingLogLikelihood(["ab"], options)).rejects.toThrow("enough");
      await expect(model.generate([{ prompt: "a" }], options)).rejects.toThrow("enough");
    });
  });
}
