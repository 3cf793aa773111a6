import type { z } from "zod";
import { sentence } from "../base/index.js";
import type { WithBytes } from "./events.js";
import { ACCEPTED, type Refusal, type Reply, refuse } from "./messages/reply.js";
import type { RefusalCode } from "./refusals.js";

/** A socket.io socket of either end. */
export interface ListeningSocket {
  onAny(listener: (event: string, ...args: unknown[]) => void): unknown;
}

/** What a handler says to a message. Nothing means that it was taken. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may simply return
type Answer = Reply | void | Promise<Reply | void>;

/** One handler for each event of a direction. */
export type Handlers<Schemas> = {
  [Event in keyof Schemas]: Event extends WithBytes
    ? (message: z.output<Schemas[Event]>, data: Uint8Array) => Answer
    : (message: z.output<Schemas[Event]>) => Answer;
};

export interface DoorOptions {
  /** Bytes that a message may have as JSON, the bytes beside it not counted. */
  readonly reportBytes: number;
  /** Hears of every message that was turned away, here or by its handler. */
  readonly onRefused: (event: string, code: RefusalCode, message: string) => void;
  /** Hears what a handler threw. The sender is told nothing of it. */
  readonly onError: (error: unknown) => void;
}

/**
 * Lets messages in from a socket: each is checked against its schema, handed to its handler, and acknowledged
 * with the handler's reply. Whatever else comes, unknown events included, is refused; nothing is thrown.
 * @param schemas `TO_SERVER` or `TO_CLIENT`
 */
export function openDoor<Schemas extends Readonly<Record<string, z.ZodType>>>(
  socket: ListeningSocket,
  schemas: Schemas,
  handlers: Handlers<Schemas>,
  options: DoorOptions,
): void {
  const answer = async (event: string, args: readonly unknown[]): Promise<Reply> => {
    try {
      const found = parse(event, args, schemas, options.reportBytes);
      if ("ok" in found) return found;
      const handler = handlers[event as keyof Schemas] as (message: unknown, data?: Uint8Array) => Answer;
      return (await handler(found.message, found.data)) ?? ACCEPTED;
    } catch (error) {
      options.onError(error);
      return refuse("internal", "The receiving end failed; its log says why.");
    }
  };

  socket.onAny((event, ...args) => {
    // socket.io appends the function that acknowledges; a peer can send data only.
    const acknowledge =
      typeof args.at(-1) === "function" ? (args.pop() as (reply: Reply) => void) : undefined;
    void answer(event, args).then((reply) => {
      if (!reply.ok) options.onRefused(event, reply.code, reply.message);
      acknowledge?.(reply);
    });
  });
}

/** The message of an event, or why it is refused. */
function parse(
  event: string,
  args: readonly unknown[],
  schemas: Readonly<Record<string, z.ZodType>>,
  reportBytes: number,
): { message: unknown; data?: Uint8Array } | Refusal {
  const schema = Object.hasOwn(schemas, event) ? schemas[event] : undefined;
  if (!schema) return malformed("There is no such event.");
  const [body, data] = args;
  const withBytes: WithBytes = "chunk";
  const expected = event === withBytes ? 2 : 1;
  if (args.length !== expected) {
    return malformed(`"${event}" came with ${args.length} arguments; expected ${expected}.`);
  }
  if (event === withBytes && !(data instanceof Uint8Array)) {
    return malformed(`"${event}" came without bytes.`);
  }
  // Before the schema looks at it, which would take a message apart that is too long for any.
  const excess = excessOf(event, body, reportBytes);
  if (excess) return excess;
  const message = schema.safeParse(body);
  if (!message.success) {
    const issue = message.error.issues[0]!;
    return malformed(
      `"${event}" is malformed at ${issue.path.join(".") || "the top"}: ${sentence(issue.message)}`,
    );
  }
  return data instanceof Uint8Array ? { message: message.data, data } : { message: message.data };
}

/** The refusal of a message that must not be looked at any closer. */
function excessOf(event: string, body: unknown, reportBytes: number): Refusal | undefined {
  // One attachment can be named in many places of a message, and each would become a text of its own below.
  if (holdsBytes(body)) return malformed(`"${event}" has bytes within its message.`);
  let bytes: number;
  try {
    bytes = Buffer.byteLength(JSON.stringify(body) ?? "");
  } catch {
    return malformed(`"${event}" is nested too deep.`);
  }
  if (bytes <= reportBytes) return undefined;
  return refuse(
    "too_large",
    `"${event}" has ${bytes} bytes; at most ${reportBytes} are taken (server.max_report_bytes).`,
  );
}

/** Without recursion: JSON may be nested deeper than the stack reaches. */
function holdsBytes(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    if (value instanceof Uint8Array) return true;
    for (const part of Object.values(value)) left.push(part);
  }
  return false;
}

function malformed(message: string): Refusal {
  return refuse("malformed", message);
}
