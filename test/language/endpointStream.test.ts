import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { readEvents } from "../../src/language/endpoint/eventStream.js";
import { EndpointLanguageModel, type EndpointSettings } from "../../src/language/index.js";
import { type Fault, startModelServer } from "./modelServer.js";

const servers: Awaited<ReturnType<typeof startModelServer>>[] = [];

async function served(settings: Partial<EndpointSettings> = {}, fault?: Fault) {
  const server = await startModelServer(fault);
  servers.push(server);
  const model = new EndpointLanguageModel({ url: server.url, model: "bigram", firstPause: 1, ...settings });
  return { model, arrived: server.arrived };
}

/** Parts of a chat, one event each. */
function parts(response: ServerResponse, texts: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of texts) {
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\r\n\r\n`);
  }
}

/** What is heard of the answer to "a", and the answer. */
async function told(model: EndpointLanguageModel, options = {}) {
  const heard: string[] = [];
  const [answer] = await model.generate([{ prompt: "a" }], {
    maxNewTokens: 6,
    onText: ({ text }) => void heard.push(text),
    ...options,
  });
  return { heard, answer };
}

describe("server-sent events", () => {
  const eventsOf = async (pieces: readonly Uint8Array[]) => {
    async function* chunks() {
      yield* pieces;
    }
    const events: string[] = [];
    for await (const event of readEvents(chunks())) events.push(event);
    return events;
  };

  test("are read wherever the bytes are cut, whatever ends the lines", async () => {
    const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
    const event = fc.string({ unit: fc.constantFrom("a", "é", "😀", ":", " "), maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(event), lineEnd, fc.array(fc.nat(40)), async (given, end, cuts) => {
        const bytes = Buffer.from(given.map((data) => `data: ${data}${end}${end}`).join(""));
        const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])];
        places.sort((one, other) => one - other);
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(await eventsOf(pieces)).toEqual(given);
      }),
    );
  });

  test("join their lines, and have no comments, other fields or ends without an empty line", async () => {
    const text = ": hello\n\nevent: x\ndata:a\ndata: b\ndata\nid: 1\n\n\ndata: never ended\n";
    expect(await eventsOf([Buffer.from(text)])).toEqual(["a\nb\n"]);
  });
});

describe("an endpoint that streams", () => {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  test.each(["chat", "completions"] as const)("tells the text as it comes, by %s", async (generation) => {
    const { model, arrived } = await served({ generation });
    const { heard, answer } = await told(model);
    expect(heard).toEqual(["b", "c", "a", "b", "c", "a"]);
    expect(answer).toEqual({ text: "bcabca", tokens: undefined, finish: "length", truncated: 0 });
    expect(arrived[0]!.body).toMatchObject({ stream: true, max_tokens: 6 });
  });

  test("is not listened to beyond a stop text", async () => {
    const { model } = await served({}, (_, response) => {
      parts(response, ["b", "c", "a", "b"]);
      return true;
    });
    const { heard, answer } = await told(model, { stop: ["ca"] });
    expect([heard, answer]).toEqual([["b"], expect.objectContaining({ text: "b", finish: "stop" })]);
  });

  test("that answers in whole is heard in whole", async () => {
    const { model } = await served({}, (_, response) => {
      const answer = { choices: [{ message: { content: "bc" }, finish_reason: "stop" }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      return true;
    });
    expect((await told(model)).heard).toEqual(["bc"]);
  });

  test.each([
    ["cut", (response: ServerResponse) => setTimeout(() => response.destroy(), 20)],
    ["ended too early", (response: ServerResponse) => response.end()],
    ["silent", () => undefined],
  ])("is asked again where it is %s, and told once", async (way, end) => {
    let times = 0;
    const { model, arrived } = await served(
      way === "silent" ? { timeout: 500 } : {},
      (_request, response) => {
        if (++times > 1) return false;
        parts(response, ["b", "ca"]);
        end(response);
        return true;
      },
    );
    const { heard, answer } = await told(model);
    expect(heard).toEqual(["b", "ca", "b", "c", "a"]);
    expect(answer!.text).toBe("bcabca");
    expect(arrived).toHaveLength(2);
  });

  test("may take longer than the time allowed, if it is not silent so long", async () => {
    const { model, arrived } = await served({ timeout: 600 }, (_, response) => {
      parts(response, ["b"]);
      let left = 6;
      const timer = setInterval(() => {
        if (left-- > 0) response.write(": still here\n\n");
        else {
          clearInterval(timer);
          response.end(
            'data: {"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          );
        }
      }, 150);
      return true;
    });
    expect((await told(model)).heard).toEqual(["b", "c"]);
    expect(arrived).toHaveLength(1);
  });

  test("that says something else when it is asked again is given up", async () => {
    let times = 0;
    const { model } = await served({}, (_, response) => {
      parts(response, [["bc", "bd"][times++]!]);
      response.end();
      return true;
    });
    await expect(told(model)).rejects.toMatchObject({
      code: "ENDPOINT_UNREACHABLE",
      message: expect.stringContaining("broke off after 2 characters"),
    });
  });

  test.each([
    ["no JSON", "data: {oops\n\n", "no JSON"],
    ["an error", 'data: {"error":{"message":"out of memory"}}\n\n', "out of memory"],
    ["no choices", 'data: {"object":"x"}\n\n', "choices: missing"],
    ["choices that are none", 'data: {"choices":[{"delta":{"content":5}}]}\n\n', "choices.0.delta.content"],
  ])("that sends %s is off the protocol", async (_, text, message) => {
    const { model, arrived } = await served({}, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
      return true;
    });
    await expect(told(model)).rejects.toMatchObject({
      code: "ENDPOINT_INVALID",
      message: expect.stringContaining(message),
    });
    expect(arrived).toHaveLength(1);
  });

  test("is not asked again when whoever listens fails", async () => {
    const { model, arrived } = await served();
    const onText = () => {
      throw new Error("the listener's own");
    };
    await expect(told(model, { onText })).rejects.toThrow("the listener's own");
    expect(arrived).toHaveLength(1);
  });

  test("that never ends an answer is not read for ever", async () => {
    const { model } = await served({}, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = Buffer.alloc(2 ** 22, " ");
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
      return true;
    });
    await expect(model.generate([{ prompt: "a" }])).rejects.toMatchObject({
      code: "ENDPOINT_INVALID",
      message: expect.stringContaining("longer than 67108864 bytes"),
    });
  });
});
