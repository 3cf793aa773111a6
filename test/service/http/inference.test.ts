import { afterAll, describe, expect, it } from "vitest";
import { EndpointLanguageModel } from "../../../src/language/index.js";
import { END, tokenizer } from "../../language/bigram.js";
import { bigram, testService } from "../support/testService.js";

const { app, ask } = await testService({ models: { bigram: bigram() }, set: ["max_new_tokens=50"] });
const url = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.close());
const complete = async (body: object) =>
  (await ask("POST", "/v1/completions", { model: "bigram", ...body })).json;

describe("completions", () => {
  it("go on from texts and tokens, one or several", async () => {
    const asked = { temperature: 0, max_tokens: 3 };
    expect((await complete({ ...asked, prompt: "a" })).choices[0]).toEqual({
      index: 0,
      text: "bca",
      finish_reason: "length",
      logprobs: null,
    });
    const several = await complete({ ...asked, prompt: [[97], [98], [101]] });
    expect(several.choices.map(({ text }: { text: string }) => text)).toEqual(["bca", "cab", "d"]);
    expect(several.choices[2].finish_reason).toBe("stop");
    expect(several.usage).toEqual({ prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 });
    expect((await complete({ ...asked, prompt: ["a", "b"], n: 2 })).choices).toHaveLength(4);
  });

  it("echo a prompt with the log probability of each token, and the most likely one", async () => {
    const { choices } = await complete({ prompt: [97, 99, 97, 98], echo: true, logprobs: 1, max_tokens: 0 });
    expect(choices[0].text).toBe("acab");
    const { tokens, token_logprobs, top_logprobs, text_offset } = choices[0].logprobs;
    expect(tokens).toEqual(["a", "c", "a", "b"]);
    expect(text_offset).toEqual([0, 1, 2, 3]);
    expect(token_logprobs[0]).toBeNull();
    for (const [place, share] of [1 / 4, 1 / 2, 1 / 2].entries()) {
      expect(token_logprobs[place + 1]).toBeCloseTo(Math.log(share), 6);
    }
    // The token itself stands beside a likelier one.
    expect(Object.keys(top_logprobs[1]).sort()).toEqual(["b", "c"]);
    expect(Object.keys(top_logprobs[2])).toEqual(["a"]);
  });

  it("list an end token that was chosen, without text", async () => {
    for (const max_tokens of [1, 5]) {
      const { choices } = await complete({
        prompt: "d",
        echo: true,
        logprobs: 1,
        max_tokens,
        temperature: 0,
      });
      expect(choices[0]).toMatchObject({ text: "d", finish_reason: "stop" });
      const { tokens, token_logprobs, text_offset } = choices[0].logprobs;
      expect(tokens.slice(-2)).toEqual(["d", tokenizer.idToToken(END)]);
      expect(token_logprobs.at(-1)).toBeCloseTo(0, 6);
      expect(text_offset.at(-1)).toBe(1);
    }
  });

  it("are the same with a seed, and others with another", async () => {
    const draw = async (seed: number) =>
      (await complete({ prompt: "c", max_tokens: 6, temperature: 1, seed })).choices[0].text;
    expect(await draw(1)).toBe(await draw(1));
    expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(draw))).size).toBeGreaterThan(1);
  });

  it("stop where they are told to", async () => {
    expect(
      (await complete({ prompt: "a", temperature: 0, max_tokens: 6, stop: "ca" })).choices[0],
    ).toMatchObject({
      text: "b",
      finish_reason: "stop",
    });
  });

  it("come piece by piece, and end with [DONE]", async () => {
    const { text, headers } = await ask("POST", "/v1/openai/v1/completions", {
      ...{ model: "bigram", prompt: "a", temperature: 0, max_tokens: 3, stream: true },
    });
    expect(headers["content-type"]).toMatch(/^text\/event-stream/);
    const events = text
      .trim()
      .split("\n\n")
      .map((event) => event.replace(/^data: /, ""));
    expect(events.at(-1)).toBe("[DONE]");
    const parts = events.slice(0, -1).map((event) => JSON.parse(event).choices[0]);
    expect(parts.map((part) => part.text).join("")).toBe("bca");
    expect(parts.at(-1).finish_reason).toBe("length");
  });

  it.each([
    [{ prompt: "a", max_tokens: 51 }, 413, "LIMIT_EXCEEDED"],
    [{ prompt: "abcabcabcabc" }, 400, "DATA_INVALID"],
    [{ prompt: [[400]] }, 400, "DATA_INVALID"],
    [{ prompt: [] }, 400, "REQUEST_INVALID"],
    [{ prompt: "a", temperature: -1 }, 400, "REQUEST_INVALID"],
    [{ prompt: "a", logprobs: 1, stream: true }, 400, "REQUEST_INVALID"],
  ])("that cannot be are refused: %j", async (body, status, code) => {
    const reply = await ask("POST", "/v1/completions", { model: "bigram", ...body });
    expect(reply.status).toBe(status);
    expect(reply.json.error.code).toBe(code);
  });
});

describe("a client of OpenAI's protocol", () => {
  const model = bigram();
  const asked = [
    { context: "ab", continuation: "ca" },
    { context: "a ", continuation: "bc" },
    { context: "c", continuation: "c" },
  ];

  it.each([
    ["with the model's tokenizer", { tokenizer, contextLength: 8 }],
    ["that leaves tokens to the service", {}],
  ])("gets the scores that the model itself gives, %s", async (_, more) => {
    const remote = new EndpointLanguageModel({ url: `${url}/v1`, model: "bigram", ...more });
    const [here, there] = [await model.logLikelihood(asked), await remote.logLikelihood(asked)];
    for (const [place, { logLikelihood, greedy }] of here.entries()) {
      if (Number.isFinite(logLikelihood)) expect(there[place]!.logLikelihood).toBeCloseTo(logLikelihood, 5);
      expect(there[place]!.greedy).toBe(greedy);
    }
  });

  it("gets its texts and rolling scores", async () => {
    const remote = new EndpointLanguageModel({
      ...{
        url: `${url}/v1`,
        model: "bigram",
        tokenizer,
        contextLength: 8,
        generation: "completions" as const,
      },
    });
    const settings = { temperature: 0, maxNewTokens: 4 };
    const [here] = await model.generate([{ prompt: "ab" }], settings);
    const [there] = await remote.generate([{ prompt: "ab" }], settings);
    expect(there!.text).toBe(here!.text);
    const texts = ["abcabcabcabc"];
    const [rolled] = await remote.rollingLogLikelihood(texts);
    expect(rolled!.logLikelihood).toBeCloseTo((await model.rollingLogLikelihood(texts))[0]!.logLikelihood, 4);
  });
});

describe("chats", () => {
  it("answer with the log probabilities of the answer's tokens", async () => {
    const { json, status } = await ask("POST", "/v1/chat/completions", {
      model: "bigram",
      messages: [{ role: "user", content: "a" }],
      logprobs: true,
    });
    // The chat template is longer than what this model reads.
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: "DATA_INVALID", param: "messages" });
  });
});

it("lists models", async () => {
  expect((await ask("GET", "/v1/models")).json.data).toMatchObject([{ id: "bigram", object: "model" }]);
  expect((await ask("GET", "/v1/models/none")).status).toBe(404);
});
