import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { endpointPost } from "../../src/language/endpoint/endpointPost.js";
import { EndpointLanguageModel, type EndpointSettings, endpointKey } from "../../src/language/index.js";
import { until } from "../support/until.js";
import { CONTEXT_LENGTH, tokenizer } from "./bigram.js";
import { type Fault, startModelServer } from "./modelServer.js";
import { languageModelSuite } from "./suites/languageModelSuite.js";

const { log } = Math;
const servers: Awaited<ReturnType<typeof startModelServer>>[] = [];

/** A model behind a server of its own. */
async function served(settings: Partial<EndpointSettings> = {}, fault?: Fault) {
  const server = await startModelServer(fault);
  servers.push(server);
  const model = new EndpointLanguageModel({ url: server.url, model: "bigram", firstPause: 1, ...settings });
  return { model, arrived: server.arrived, server };
}
const known = { tokenizer, contextLength: CONTEXT_LENGTH };

for (const generation of ["chat", "completions"] as const) {
  languageModelSuite(
    `behind a server, by ${generation}`,
    async () => (await served({ ...known, generation })).model,
    { forwards: false },
  );
}

const ab = [{ context: "a", continuation: "b" }];
const send = (response: ServerResponse, status: number, body = "", headers = {}) => {
  response.writeHead(status, headers).end(body);
  return true;
};

describe("an endpoint without its tokenizer", () => {
  afterEach(closeAll);

  test("scores what the server says of the tokens behind the context", async () => {
    const { model, arrived } = await served();
    const [one, two, three] = await model.logLikelihood([
      { context: "a", continuation: "bc" },
      { context: "ca", continuation: "c" },
      { context: "a ", continuation: "b" },
    ]);
    expect(one!.logLikelihood).toBeCloseTo(log(1 / 2) + log(7 / 8), 5);
    expect(one).toMatchObject({ greedy: true, tokenCount: 2, truncated: 0 });
    expect(two!.logLikelihood).toBeCloseTo(log(1 / 4), 5);
    expect(two!.greedy).toBe(false);
    expect(three!.logLikelihood).toBeCloseTo(log(1 / 4) + log(3 / 4), 5);
    expect(arrived[0]!.body).toEqual({
      model: "bigram",
      prompt: "abc",
      max_tokens: 1,
      temperature: 0,
      logprobs: 1,
      echo: true,
    });
  });

  test("counts places in code points, and a token across the boundary to the continuation", async () => {
    // "😀" is two UTF-16 units and one code point; "xy" spans the boundary.
    const logprobs = {
      tokens: ["😀", "xy", "z", "!"],
      token_logprobs: [null, -1, -2, -9],
      text_offset: [0, 1, 3, 4],
      top_logprobs: [null, { xy: -1 }, { q: -0.5, z: -2 }, { "!": -9 }],
    };
    const { model } = await served({}, (_, response) =>
      send(response, 200, JSON.stringify({ choices: [{ text: "", logprobs }] })),
    );
    const [result] = await model.logLikelihood([{ context: "😀x", continuation: "yz" }]);
    expect(result).toMatchObject({ logLikelihood: -3, tokenLogLikelihoods: [-1, -2], greedy: false });
  });

  test("refuses what needs tokens", async () => {
    const { model, arrived } = await served();
    const missing = { code: "CAPABILITY_MISSING", message: expect.stringContaining("tokenizer") };
    await expect(model.rollingLogLikelihood(["ab"])).rejects.toMatchObject(missing);
    await expect(model.logLikelihood([{ context: "", continuation: "a" }])).rejects.toMatchObject(missing);
    await expect(model.logLikelihood([{ context: [1], continuation: [2] }])).rejects.toMatchObject(missing);
    await expect(model.logLikelihood(ab, { boundary: "separate" })).rejects.toMatchObject(missing);
    await expect(model.logLikelihood([{ context: "a", continuation: "" }])).rejects.toMatchObject({
      code: "DATA_INVALID",
    });
    expect(arrived).toEqual([]);
  });
});

describe("an endpoint that cannot score", () => {
  afterEach(closeAll);
  const logprobs = { tokens: ["a", "b"], token_logprobs: [null, -1], text_offset: [0, 1] };

  test.each([
    ["no log probabilities", undefined],
    ["only those of its answer", { ...logprobs, tokens: ["x"], token_logprobs: [-1], text_offset: [2] }],
    ["none of the continuation", { ...logprobs, token_logprobs: [-1, null] }],
    ["no most likely tokens", logprobs],
    ["no places", { ...logprobs, text_offset: undefined }],
  ])("says so: %s", async (_, given) => {
    const answer: Fault = (_request, response) =>
      send(response, 200, JSON.stringify({ choices: [{ text: "", logprobs: given }] }));
    const { model } = await served({}, answer);
    await expect(model.logLikelihood(ab)).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });

  test("says so where it reads more tokens than it was given", async () => {
    // Its own begin token, those it was given, and the one that it generated.
    const tokens = ["<s>", "a", "b", "c"];
    const logprobs = { tokens, token_logprobs: [null, -1, -2, -3], top_logprobs: tokens.map(() => ({})) };
    const { model } = await served(known, (_, response) =>
      send(response, 200, JSON.stringify({ choices: [{ text: "", logprobs }] })),
    );
    await expect(model.logLikelihood([{ context: [97], continuation: [98] }])).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
      message: expect.stringContaining("read 3 tokens where it was given 2"),
    });
  });

  test("says so where there is no such address", async () => {
    const { model, arrived } = await served({}, (_, response) => send(response, 404, "no such route"));
    await expect(model.logLikelihood(ab)).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
      message: expect.stringContaining("no such route"),
    });
    expect(arrived).toHaveLength(1);
  });
});

describe("an endpoint that generates", () => {
  afterEach(closeAll);

  test("is given turns as turns, and settings by the protocol's names", async () => {
    const { model, arrived } = await served({ extensions: ["top_k", "repetition_penalty"] });
    const turns = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "a" },
    ];
    const stop = ["1", "2", "3", "4", "ab"];
    const [answer] = await model.generate([{ prompt: turns, stop, temperature: 0.5, topK: 1, topP: 0.9 }], {
      maxNewTokens: 6,
      repetitionPenalty: 1.01,
      seed: 7,
    });
    // The fifth stop text is not sent, and cut off all the same.
    expect(answer).toEqual({ text: "bc", tokens: undefined, finish: "stop", truncated: 0 });
    expect(arrived[0]!.path).toBe("/v1/chat/completions");
    expect(arrived[0]!.body).toEqual({
      model: "bigram",
      messages: turns,
      max_tokens: 6,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 1,
      repetition_penalty: 1.01,
      stop: ["1", "2", "3", "4"],
      seed: 7,
    });
  });

  test("is told the length of an answer by the name that it knows", async () => {
    const { model, arrived } = await served({ lengthField: "max_completion_tokens" });
    await model.generate([{ prompt: "a" }], { maxNewTokens: 2 });
    expect(arrived[0]!.body).toMatchObject({ max_completion_tokens: 2 });
    expect(arrived[0]!.body).not.toHaveProperty("max_tokens");
  });

  test("is not asked for what it does not know", async () => {
    const { model, arrived } = await served();
    for (const settings of [{ topK: 5 }, { repetitionPenalty: 1.1 }, { stopTokens: [3] }]) {
      await expect(model.generate([{ prompt: "a", ...settings }])).rejects.toMatchObject({
        code: "CAPABILITY_MISSING",
      });
    }
    await expect(model.generate([{ prompt: [97] }])).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
    const { model: completions } = await served({ generation: "completions" });
    await expect(completions.generate([{ prompt: [{ role: "user", content: "a" }] }])).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
    expect(arrived).toEqual([]);
  });

  test("takes tokens and templates as a prompt to complete", async () => {
    const { model, arrived } = await served({ ...known, generation: "completions" });
    const turns = [{ role: "user", content: "x" }];
    const answers = await model.generate([{ prompt: [101] }, { prompt: turns }], { maxNewTokens: 2 });
    expect(answers[0]).toMatchObject({ text: "d", finish: "stop" });
    const prompts = arrived.map(({ body }) => body.prompt as number[]);
    expect(prompts).toContainEqual([101]);
    // ChatML's head of an assistant's turn.
    expect(prompts.map((prompt) => tokenizer.decode(prompt)).join()).toContain("<|im_start|>assistant\n");
  });
});

describe("the connection to an endpoint", () => {
  afterEach(closeAll);

  test("tries again what may pass, and waits as long as the server asks", async () => {
    const faults = [
      (response: ServerResponse) => send(response, 429, "", { "retry-after": "0.2" }),
      (response: ServerResponse) => send(response, 503),
      (response: ServerResponse) => {
        response.destroy();
        return true;
      },
      (response: ServerResponse) =>
        send(response, 429, "", { "retry-after": new Date(Date.now() - 1000).toUTCString() }),
    ];
    const { model, arrived } = await served({}, (_, response) => faults.shift()?.(response) ?? false);
    const [result] = await model.logLikelihood(ab);
    expect(result!.logLikelihood).toBeCloseTo(log(1 / 2), 5);
    expect(arrived).toHaveLength(5);
    expect(arrived[1]!.at - arrived[0]!.at).toBeGreaterThan(190);
  });

  test("gives up after so many attempts, or when it should wait too long", async () => {
    const busy = await served({ attempts: 3 }, (_, response) => send(response, 500));
    await expect(busy.model.logLikelihood(ab)).rejects.toMatchObject({
      code: "ENDPOINT_UNREACHABLE",
      message: expect.stringContaining("failed 3 time(s): the server answered 500"),
    });
    expect(busy.arrived).toHaveLength(3);
    const later = await served({}, (_, response) => send(response, 429, "", { "retry-after": "3600" }));
    await expect(later.model.generate([{ prompt: "a" }])).rejects.toMatchObject({
      code: "ENDPOINT_UNREACHABLE",
      message: expect.stringContaining("It asks to wait 3600 s."),
    });
    expect(later.arrived).toHaveLength(1);
  });

  test("does not wait for ever for an answer", async () => {
    const { model } = await served({ timeout: 60, attempts: 2 }, () => true);
    await expect(model.generate([{ prompt: "a" }])).rejects.toMatchObject({
      code: "ENDPOINT_UNREACHABLE",
      message: expect.stringContaining("no answer within 0.06 s"),
    });
  });

  test("begins requests no faster than allowed, and no more than so many at a time", async () => {
    let [open, most] = [0, 0];
    const { model, arrived } = await served({ requestsPerMinute: 1200, concurrency: 2 }, (_, response) => {
      most = Math.max(most, ++open);
      response.on("close", () => open--);
      return false;
    });
    const began = performance.now();
    await model.logLikelihood([...ab, ...ab, ...ab, ...ab]);
    expect(most).toBeLessThanOrEqual(2);
    // 1,200 a minute are 50 ms apart; timers may be a little early.
    expect(arrived[3]!.at - began).toBeGreaterThan(140);
  });

  test("brings the key, and never tells it", async () => {
    const key = endpointKey({ OPENAI_API_KEY: "sk-secret", OTHER: "" });
    expect(endpointKey({ OTHER: "" }, "OTHER")).toBeUndefined();
    const { model, arrived } = await served({ key }, ({ headers }, response) =>
      headers.authorization === "Bearer sk-secret" ? send(response, 401, "unknown key") : false,
    );
    const error = await model.generate([{ prompt: "a" }]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "ENDPOINT_REFUSED",
      message: expect.stringContaining("unknown key"),
    });
    expect(`${error} ${JSON.stringify(error)}`).not.toContain("sk-secret");
    expect(arrived).toHaveLength(1);
  });

  test("follows no redirect, and takes no answer that is none", async () => {
    const moved = await served({}, (_, response) => send(response, 302, "", { location: "/elsewhere" }));
    await expect(moved.model.logLikelihood(ab)).rejects.toMatchObject({ code: "ENDPOINT_REFUSED" });
    for (const body of ["<html>", "{}", '{"choices":[]}']) {
      const { model } = await served({}, (_, response) => send(response, 200, body));
      await expect(model.logLikelihood(ab)).rejects.toMatchObject({ code: "ENDPOINT_INVALID" });
      await expect(model.generate([{ prompt: "a" }])).rejects.toMatchObject({ code: "ENDPOINT_INVALID" });
    }
  });

  test.each([
    [{ url: "nowhere" }, 'url = "nowhere": expected an address as https://host/v1'],
    [{ url: "ftp://host/v1" }, 'url = "ftp://host/v1"'],
    [{ model: "" }, 'model = ""'],
    [{ concurrency: 0 }, "concurrency = 0"],
    [{ attempts: 0 }, "attempts = 0"],
    [{ timeout: -1 }, "timeout = -1"],
    [{ requestsPerMinute: 0 }, "requestsPerMinute = 0"],
    [{ generation: "talk" }, 'generation = "talk"'],
  ])("is not made of %j", (wrong, shown) => {
    const settings = { url: "http://host/v1", model: "m", ...wrong } as EndpointSettings;
    expect(() => new EndpointLanguageModel(settings)).toThrow(
      expect.objectContaining({ code: "CONFIG_VALUE", message: expect.stringContaining(shown) }),
    );
  });

  test("names the whole address that was asked, and not the key that a server repeats", async () => {
    const { model } = await served({ key: "sk-secret" }, (_, response) =>
      send(response, 404, "no model for sk-secret"),
    );
    await expect(model.generate([{ prompt: "a" }])).rejects.toMatchObject({
      message: expect.stringMatching(/^The endpoint [\w.:]+\/v1\/chat\/completions .*no model for \.\.\./),
    });
  });

  test("leaves no connection behind on a server that keeps them, and cuts no slow answer", async () => {
    const server = createServer(async (message, response) => {
      await text(message);
      if (message.url === "/slow") await sleep(300);
      response.write("{");
      if (message.url === "/slow") await sleep(300);
      response.end("}");
    });
    const open = new Set<Socket>();
    server.on("connection", (socket) => {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
    });
    // Never closes a connection that is idle.
    server.keepAliveTimeout = 0;
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const { signal } = new AbortController();
    try {
      for (const path of ["/", "/", "/slow"]) {
        const post = endpointPost(undefined, 50);
        const { body } = await post(`http://127.0.0.1:${port}${path}`, { headers: {}, body: "{}", signal });
        expect(await text(body)).toBe("{}");
      }
      await until(() => (open.size === 0 ? true : undefined), "an end of all connections", 5);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("stops all requests at the first error, and in a pause when told to", async () => {
    const { model, arrived } = await served({ concurrency: 2 }, ({ body }, response) =>
      body.prompt === "xb" ? send(response, 400, "no") : false,
    );
    const many = ["x", ..."aaaaaaaa"].map((context) => ({ context, continuation: "b" }));
    await expect(model.logLikelihood(many)).rejects.toMatchObject({ code: "ENDPOINT_REFUSED" });
    expect(arrived.length).toBeLessThan(9);
    const stop = new AbortController();
    const busy = await served({ firstPause: 60_000 }, (_, response) => {
      setImmediate(() => stop.abort(new Error("enough")));
      return send(response, 503);
    });
    await expect(busy.model.logLikelihood(ab, { signal: stop.signal })).rejects.toThrow("enough");
  });
});

async function closeAll(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}
