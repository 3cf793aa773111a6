import { type Messages, type Reply, refuse, TO_CLIENT } from "../protocol/index.js";

type Incoming = Messages<typeof TO_CLIENT>;

/** What is done with each message of the server once it has been parsed; not every reply is sent. */
export type ServerMessageHandlers = {
  [Event in keyof Incoming]: (message: Incoming[Event], data: Uint8Array) => Reply | Promise<Reply>;
};

/** What is needed of a socket. */
interface ListeningSocket {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Lets the server's messages in: parses each, hands it on, answers with the reply.
 * @param onFault hears of messages that could not be taken
 */
export function listenToServer(
  socket: ListeningSocket,
  handlers: ServerMessageHandlers,
  onFault: (fault: string) => void,
): void {
  const answer = async (event: keyof Incoming, [message, data]: unknown[]): Promise<Reply> => {
    const parsed = TO_CLIENT[event].safeParse(message);
    if (!parsed.success) {
      onFault(`${event}: ${parsed.error.issues[0]!.message}`);
      return refuse("malformed", `${event} does not have the form that the protocol gives it.`);
    }
    const handle = handlers[event] as (message: unknown, data: Uint8Array) => Promise<Reply>;
    return handle(parsed.data, data instanceof Uint8Array ? data : NO_BYTES);
  };

  for (const event of Object.keys(TO_CLIENT) as (keyof Incoming)[]) {
    socket.on(event, (...args) => {
      const last = args.at(-1);
      const acknowledge = typeof last === "function" ? (last as (reply: Reply) => void) : null;
      answer(event, args).then(
        (reply) => acknowledge?.(reply),
        (error) => {
          onFault(`${event}: ${String(error)}`);
          acknowledge?.(refuse("internal", "The client failed; its log says why."));
        },
      );
    });
  }
}
