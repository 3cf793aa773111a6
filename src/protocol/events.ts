import type { z } from "zod";
import { welcomeSchema } from "./messages/handshake.js";
import type { Reply } from "./messages/reply.js";
import { assignSchema, endSchema, withdrawSchema } from "./messages/toClient.js";
import { failedSchema, leaveSchema, progressSchema, reportSchema } from "./messages/toServer.js";
import { chunkSchema, transferDoneSchema } from "./messages/transfer.js";

/** Form of each message that a server sends. */
export const TO_CLIENT = {
  welcome: welcomeSchema,
  assign: assignSchema,
  chunk: chunkSchema,
  transfer_done: transferDoneSchema,
  withdraw: withdrawSchema,
  end: endSchema,
} as const;

/** Form of each message that a client sends. */
export const TO_SERVER = {
  progress: progressSchema,
  report: reportSchema,
  chunk: chunkSchema,
  transfer_done: transferDoneSchema,
  failed: failedSchema,
  leave: leaveSchema,
} as const;

/** The messages of one direction, by event name. */
export type Messages<Schemas> = { [Event in keyof Schemas]: z.output<Schemas[Event]> };

/** What the receiver answers with. */
export type Acknowledge = (reply: Reply) => void;

/** Events that carry bytes beside the message: at most one attachment per packet. */
export type WithBytes = "chunk";

/** Events that nobody answers. */
type Unanswered = "welcome" | "withdraw" | "end" | "progress" | "leave";

/** Listener signatures as socket.io's generics want them. */
type EventMap<Schemas> = {
  [Event in keyof Schemas]: Event extends WithBytes
    ? (message: z.output<Schemas[Event]>, data: Uint8Array, reply: Acknowledge) => void
    : Event extends Unanswered
      ? (message: z.output<Schemas[Event]>) => void
      : (message: z.output<Schemas[Event]>, reply: Acknowledge) => void;
};

export type ServerToClientEvents = EventMap<typeof TO_CLIENT>;
export type ClientToServerEvents = EventMap<typeof TO_SERVER>;

/** Servers do not speak to each other. */
export type InterServerEvents = Record<never, never>;

/** What the server keeps on a socket. */
export interface SocketData {
  session: string;
  process: number;
}
