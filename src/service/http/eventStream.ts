import type { FastifyReply, FastifyRequest } from "fastify";
import { replyErrorOf } from "./replyError.js";

/** Between two comments that tell proxies and clients that the stream lives, in milliseconds. */
const BEAT = 15_000;

/** What a client that was cut off sends with the `id` of the last event it had. */
export const LAST_EVENT = "last-event-id";

/** Where a stream begins: a client that was cut off says which event it had last, and goes on there. */
export function eventsFrom({ headers }: FastifyRequest, asked = 0): number {
  const last = Number(headers[LAST_EVENT]);
  return Number.isSafeInteger(last) && last > 0 ? last : asked;
}

/** A reply of server-sent events. */
export interface EventStream {
  /** @param event absent: the unnamed kind, which clients call `message` */
  send(data: unknown, event?: string, id?: string | number): Promise<void>;
  /** An event named `error` with the error object. */
  fail(thrown: unknown): void;
  end(): void;
}

/**
 * Begins a stream of events. What is sent waits until the client has taken what came before, so that a slow one
 * fills no memory.
 */
export function openEventStream(reply: FastifyReply, gone: AbortSignal): EventStream {
  const { raw } = reply;
  const headers = reply.getHeaders();
  reply.hijack();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  const beat = setInterval(() => raw.write(": \n\n"), BEAT);
  beat.unref();

  const write = async (text: string): Promise<void> => {
    if (gone.aborted || raw.writableEnded || raw.destroyed) return;
    if (raw.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        raw.off("drain", done);
        raw.off("close", done);
        gone.removeEventListener("abort", done);
        resolve();
      };
      raw.once("drain", done);
      raw.once("close", done);
      gone.addEventListener("abort", done, { once: true });
    });
  };

  return {
    async send(data, event, id) {
      // JSON has no line end, and a text is told line by line.
      const lines = (typeof data === "string" ? data : JSON.stringify(data)).split(/\r\n|\n|\r/);
      const name = event === undefined ? "" : `event: ${event}\n`;
      const place = id === undefined ? "" : `id: ${id}\n`;
      await write(`${name}${place}${lines.map((line) => `data: ${line}\n`).join("")}\n`);
    },
    fail(thrown) {
      const { facts } = replyErrorOf(thrown);
      raw.write(`event: error\ndata: ${JSON.stringify({ error: facts })}\n\n`);
    },
    end() {
      clearInterval(beat);
      raw.end();
    },
  };
}
