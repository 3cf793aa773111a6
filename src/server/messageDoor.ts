import {
  type Limits,
  type Messages,
  type RefusalCode,
  type Reply,
  refuse,
  TO_SERVER,
} from "../protocol/index.js";

type Incoming = Messages<typeof TO_SERVER>;

/** What is done with each message once it has been parsed. */
export type MessageHandlers = {
  [Event in keyof Incoming]: (message: Incoming[Event], data: Uint8Array) => Reply | Promise<Reply>;
};

export interface DoorOptions {
  readonly limits: Limits;
  readonly handlers: MessageHandlers;
  /** Hears of everything that is turned away. */
  readonly onRefused: (code: RefusalCode, message: string) => void;
}

/** What a door needs of a socket. */
interface ListeningSocket {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  onAny(listener: (event: string) => void): unknown;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Lets a client's messages in: parses each, hands it on, answers with the reply. Whatever a client sends,
 * nothing is thrown here.
 */
export function openDoor(socket: ListeningSocket, { limits, handlers, onRefused }: DoorOptions): void {
  const answer = async (event: keyof Incoming, args: unknown[]): Promise<Reply> => {
    const [message, data] = args;
    if (event !== "chunk" && sizeOf(message) > limits.report_bytes) {
      return refuse(
        "too_large",
        `A message may have ${limits.report_bytes} bytes (server.max_report_bytes).`,
      );
    }
    if (event === "chunk" && !(data instanceof Uint8Array)) {
      return refuse("malformed", "A chunk comes with its bytes as one attachment.");
    }
    const parsed = TO_SERVER[event].safeParse(message);
    if (!parsed.success) return refuse("malformed", `${event}: ${faultOf(parsed.error)}`);
    const handle = handlers[event] as (message: unknown, data: Uint8Array) => Reply | Promise<Reply>;
    return handle(parsed.data, data instanceof Uint8Array ? data : NO_BYTES);
  };

  for (const event of Object.keys(TO_SERVER) as (keyof Incoming)[]) {
    socket.on(event, (...args) => {
      const last = args.at(-1);
      const acknowledge = typeof last === "function" ? (last as (reply: Reply) => void) : null;
      answer(event, acknowledge === null ? args : args.slice(0, -1)).then(
        (reply) => {
          if (!reply.ok) onRefused(reply.code, reply.message);
          acknowledge?.(reply);
        },
        () => {
          onRefused("internal", `${event} could not be worked on.`);
          acknowledge?.(refuse("internal", "The server failed; its log says why."));
        },
      );
    });
  }
  socket.onAny((event) => {
    if (!Object.hasOwn(TO_SERVER, event)) onRefused("malformed", "An event that the protocol does not know.");
  });
}

/** Bytes of a message as JSON; infinite where it has no such form. */
function sizeOf(message: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(message) ?? "");
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function faultOf(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  const issue = error.issues[0]!;
  return `${issue.path.map(String).join(".") || "the message"}: ${issue.message}`;
}
