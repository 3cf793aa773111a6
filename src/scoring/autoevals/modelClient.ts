import { ElenchusError } from "../../base/index.js";
import type { JudgeModel } from "../judge/judgeModel.js";

/** The calls that autoevals makes of OpenAI's client. */
export interface ModelClient {
  readonly chat: { readonly completions: { create(body: unknown): Promise<unknown> } };
  readonly responses?: { create(body: unknown): Promise<unknown> } | undefined;
  readonly embeddings: { create(body: unknown): Promise<unknown> };
  readonly moderations: { create(body: unknown): Promise<unknown> };
}

/** A client over a model behind a server: its attempts, pace and deadlines, and the signal of the scoring. */
export function modelClient({ name, post }: JudgeModel, signal: AbortSignal | undefined): ModelClient {
  if (post === undefined) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The model ${name} is not behind a server of OpenAI's protocol, and autoevals asks by forced tool calls and embeddings. Give a judge_model that is, as https://host/v1#model.`,
    );
  }
  const create = (path: string) => ({ create: (body: unknown) => post(path, body, signal) });
  return {
    chat: { completions: create("/chat/completions") },
    responses: create("/responses"),
    embeddings: create("/embeddings"),
    moderations: create("/moderations"),
  };
}

/**
 * A client that undoes the HTML escapes which autoevals' retrieval prompts put into their data (mustache escapes each
 * value once), so that `<b>` reaches the judge as it is.
 */
export function withoutEscapes(client: ModelClient): ModelClient {
  const { completions } = client.chat;
  return {
    ...client,
    embeddings: client.embeddings,
    moderations: client.moderations,
    chat: { completions: { create: (body) => completions.create(unescaped(body)) } },
  };
}

function unescaped(body: unknown): unknown {
  const { messages, ...rest } = body as { messages: { content: unknown }[] };
  return {
    ...rest,
    messages: messages.map((message) => ({
      ...message,
      ...(typeof message.content === "string" && { content: plain(message.content) }),
    })),
  };
}

function plain(text: string): string {
  return text.replace(ESCAPE, (written) => SIGNS[written]!);
}

/** What mustache writes for signs of HTML. */
const SIGNS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x2F;": "/",
  "&#x60;": "`",
  "&#x3D;": "=",
};
const ESCAPE = /&(?:amp|lt|gt|quot|#39|#x2F|#x60|#x3D);/g;
