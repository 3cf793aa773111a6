import { randomBytes } from "node:crypto";
import type { Socket } from "socket.io";
import type {
  ClientToServerEvents,
  InterServerEvents,
  ServerToClientEvents,
  SocketData,
} from "../protocol/index.js";
import { createDeadlineTimer, type DeadlineTimer } from "./timers.js";

/** A connection to a client process. */
export type ClientSocket = Socket<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>;

/** The identity of a client process, which outlives a connection. */
export interface Session {
  /** A secret: whoever knows it may resume the session. */
  readonly id: string;
  readonly process: number;
  /** Null while the connection is lost. */
  socket: ClientSocket | null;
  /** Runs while the connection is lost. */
  readonly grace: DeadlineTimer;
  /** Stops what is being sent to it. */
  sending: AbortController | null;
}

/** The sessions of a run, by id and by process. */
export interface Sessions {
  create(process: number, socket: ClientSocket): Session;
  get(id: string): Session | undefined;
  ofProcess(process: number): Session | undefined;
  /** Forgets a session and stops what it does. */
  end(session: Session): void;
  all(): Session[];
  readonly connected: number;
}

export function createSessions(): Sessions {
  const byId = new Map<string, Session>();
  const byProcess = new Map<number, Session>();

  return {
    create(process, socket) {
      const id = randomBytes(24).toString("base64url");
      const session: Session = { id, process, socket, grace: createDeadlineTimer(), sending: null };
      byId.set(id, session);
      byProcess.set(process, session);
      return session;
    },
    get: (id) => byId.get(id),
    ofProcess: (process) => byProcess.get(process),
    end(session) {
      byId.delete(session.id);
      if (byProcess.get(session.process) === session) byProcess.delete(session.process);
      session.grace.stop();
      session.sending?.abort();
    },
    all: () => [...byId.values()],
    get connected() {
      return [...byId.values()].filter((session) => session.socket !== null).length;
    },
  };
}
