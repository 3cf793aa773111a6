import { ElenchusError, LONGEST_TIMER } from "../base/index.js";
import { type Reply, replySchema } from "./messages/reply.js";

/**
 * Sends one message and resolves to whatever the other end acknowledged it with.
 * Rejects with CONNECTION_LOST, or with DEADLINE_EXCEEDED when nothing came in time.
 */
export type Ask = (event: string, args: readonly unknown[], milliseconds: number) => Promise<unknown>;

/** A socket.io socket of either end. */
export interface AnswerableSocket {
  readonly connected: boolean;
  emit(event: string, ...args: unknown[]): unknown;
  on(event: "disconnect", listener: () => void): unknown;
  off(event: "disconnect", listener: () => void): unknown;
}

/**
 * How to ask over a socket. socket.io's own acknowledgements with a timeout will not do: at a server's end
 * they do not notice that the connection is lost, and their timers keep a process alive that has ended.
 */
export function askOf(socket: AnswerableSocket): Ask {
  const waiting = new Set<() => void>();
  const onDisconnect = () => {
    for (const giveUp of [...waiting]) giveUp();
  };

  return (event, args, milliseconds) =>
    new Promise((resolve, reject) => {
      // A client's socket would keep the message and send it on a later connection, in another session.
      if (!socket.connected) return reject(lost(event));
      const giveUp = () => {
        end();
        reject(lost(event));
      };
      const timer = setTimeout(
        () => {
          end();
          reject(unanswered(event, milliseconds));
        },
        Math.min(milliseconds, LONGEST_TIMER),
      );
      const end = () => {
        clearTimeout(timer);
        waiting.delete(giveUp);
        if (waiting.size === 0) socket.off("disconnect", onDisconnect);
      };
      if (waiting.size === 0) socket.on("disconnect", onDisconnect);
      waiting.add(giveUp);
      socket.emit(event, ...args, (answer: unknown) => {
        end();
        resolve(answer);
      });
    });
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

function lost(event: string): ElenchusError {
  return new ElenchusError("CONNECTION_LOST", `The connection was lost before "${event}" was acknowledged.`);
}

function unanswered(event: string, milliseconds: number): ElenchusError {
  return new ElenchusError(
    "DEADLINE_EXCEEDED",
    `The other end did not acknowledge "${event}" within ${milliseconds / 1000} s.`,
  );
}
