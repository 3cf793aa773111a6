import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What came in. */
export interface ModelRequest {
  readonly path: string;
  readonly body: { [key: string]: unknown; messages?: { role: string; content: string }[] };
  readonly headers: IncomingMessage["headers"];
}

/** What goes out; a text is the answer of a chat. */
export type ModelReply = string | { status?: number; headers?: Record<string, string>; json?: unknown };

/** A server of OpenAI's protocol on the loopback address, until the test has ended. */
export async function modelServer(answer: (request: ModelRequest, call: number) => ModelReply) {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const received = { path: request.url!, body: JSON.parse(text), headers: request.headers };
    requests.push(received);
    const reply = answer(received, requests.length);
    const { status = 200, headers = {}, json } = typeof reply === "string" ? { json: chat(reply) } : reply;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(json ?? { error: "no" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

function chat(content: string) {
  return {
    choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  };
}

/** A chat's answer that calls the tool it was made to call. */
export function toolCall(body: ModelRequest["body"], given: unknown): ModelReply {
  const { name } = (body.tool_choice as { function: { name: string } }).function;
  const call = { id: "1", type: "function", function: { name, arguments: JSON.stringify(given) } };
  return {
    json: { choices: [{ message: { role: "assistant", tool_calls: [call] }, finish_reason: "tool_calls" }] },
  };
}
