import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { ScriptedLanguageModel } from "../../src/language/index.js";
import { readLogits } from "../../src/language/nextToken.js";
import { CONTEXT_LENGTH, logitsAfter, tokenizer } from "./bigram.js";

/** A request as it arrived. */
export interface Arrived {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
  /** Milliseconds on a clock that never goes back. */
  readonly at: number;
}

/** What a test puts in the place of an answer. Undefined: the model answers. */
export type Fault = (request: Arrived, response: ServerResponse) => boolean;

/** A server that speaks OpenAI's protocol for the model of `bigram.ts`. */
export async function startModelServer(fault: Fault = () => false) {
  const arrived: Arrived[] = [];
  const server = createServer((message, response) => {
    void (async () => {
      const body = (await json(message)) as Record<string, unknown>;
      const request = { path: message.url ?? "", headers: message.headers, body, at: performance.now() };
      arrived.push(request);
      if (fault(request, response)) return;
      const answer = request.path.endsWith("/chat/completions") ? await chat(body) : await complete(body);
      if (body.stream) stream(response, answer.choices[0]!);
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    arrived,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** A character a time, the reason at the end in a part of its own. */
function stream(response: ServerResponse, choice: { text?: string; message?: { content: string } } & Reason) {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const send = (part: object) => response.write(`data: ${JSON.stringify({ choices: [part] })}\n\n`);
  for (const text of choice.text ?? choice.message!.content) {
    send(choice.text === undefined ? { delta: { content: text } } : { text });
  }
  send({
    ...(choice.text === undefined ? { delta: {} } : { text: "" }),
    finish_reason: choice.finish_reason,
  });
  response.end("data: [DONE]\n\n");
}

interface Reason {
  readonly finish_reason: string;
}

const model = new ScriptedLanguageModel({ next: logitsAfter, contextLength: CONTEXT_LENGTH });

async function chat(body: Record<string, unknown>) {
  const { content } = (body.messages as { content: string }[]).at(-1)!;
  const { text, finish } = await generated(content, body);
  return { choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }] };
}

async function complete(body: Record<string, unknown>) {
  const prompt = body.prompt as string | number[];
  const { text, finish } = await generated(prompt, body);
  if (!body.echo) return { choices: [{ index: 0, text, finish_reason: finish }] };
  const ids = typeof prompt === "string" ? tokenizer.encode(prompt) : prompt;
  const all = [...ids, ...tokenizer.encode(text)];
  const tokens = all.map((id) => tokenizer.decode([id]));
  const read = all.map((_, place) =>
    place === 0 ? undefined : readLogits(logitsAfter(all.slice(0, place))),
  );
  let offset = 0;
  return {
    choices: [
      {
        index: 0,
        text: tokens.join(""),
        finish_reason: finish,
        logprobs: {
          tokens,
          token_logprobs: all.map((id, place) => read[place]?.logProbability(id) ?? null),
          text_offset: tokens.map((token) => {
            offset += [...token].length;
            return offset - [...token].length;
          }),
          top_logprobs: read.map((next) =>
            next ? { [tokenizer.decode([next.best])]: next.logProbability(next.best) } : null,
          ),
        },
      },
    ],
  };
}

async function generated(prompt: string | number[], body: Record<string, unknown>) {
  const number = (key: string) => body[key] as number | undefined;
  const [answer] = await model.generate([
    {
      prompt,
      maxNewTokens: number("max_tokens"),
      temperature: number("temperature"),
      topP: number("top_p"),
      topK: number("top_k"),
      repetitionPenalty: number("repetition_penalty"),
      stop: body.stop as string[] | undefined,
      seed: number("seed"),
    },
  ]);
  return { text: answer!.text, finish: answer!.finish };
}
