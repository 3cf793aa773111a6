import { ElenchusError } from "../base/index.js";
import { type Reply, replySchema } from "./messages/reply.js";

/**
 * Sends one message and resolves to whatever the other end acknowledged it with.
 * Rejects with CONNECTION_LOST, or with DEADLINE_EXCEEDED when nothing came in time.
 */
export type Ask = (event: string, args: readonly unknown[], milliseconds: number) => Promise<unknown>;

/** A socket.io socket of either end. */
export interface AnswerableSocket {
  readonly connected: boolean;
  timeout(milliseconds: number): unknown;
}

/** The longest delay a Node timer takes; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** How to ask over a socket. */
export function askOf(socket: AnswerableSocket): Ask {
  return async (event, args, milliseconds) => {
    // A client's socket would keep the message and send it on a later connection, in another session.
    if (!socket.connected) throw lost(event);
    const emitter = socket.timeout(Math.min(milliseconds, LONGEST_TIMER)) as {
      emitWithAck(event: string, ...args: unknown[]): Promise<unknown>;
    };
    try {
      return await emitter.emitWithAck(event, ...args);
    } catch (cause) {
      if (!socket.connected) throw lost(event, cause);
      throw new ElenchusError(
        "DEADLINE_EXCEEDED",
        `The other end did not acknowledge "${event}" within ${milliseconds / 1000} s.`,
        { cause },
      );
    }
  };
}

/**
 * Sends one message and resolves to the reply.
 * @param data the bytes beside the message, for the event that has some
 * @throws CONNECTION_LOST, DEADLINE_EXCEEDED; PROTOCOL_VIOLATION when the acknowledgement is no reply
 */
export async function request(
  ask: Ask,
  event: string,
  message: unknown,
  options: { milliseconds: number; data?: Uint8Array },
): Promise<Reply> {
  const args = options.data ? [message, options.data] : [message];
  const reply = replySchema.safeParse(await ask(event, args, options.milliseconds));
  if (reply.success) return reply.data;
  throw new ElenchusError(
    "PROTOCOL_VIOLATION",
    `The other end acknowledged "${event}" with something that is no reply; expected { ok, code, message }.`,
  );
}

function lost(event: string, cause?: unknown): ElenchusError {
  return new ElenchusError("CONNECTION_LOST", `The connection was lost before "${event}" was acknowledged.`, {
    cause,
  });
}
