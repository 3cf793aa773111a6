import type { Server } from "socket.io";
import { type Logger, messageOf, sentence } from "../base/index.js";
import {
  ACCEPTED,
  type ClientToServerEvents,
  ConnectionRefusal,
  type End,
  type Handlers,
  type InterServerEvents,
  type Limits,
  openDoor,
  type PayloadReceiver,
  type RefusalCode,
  type ServerToClientEvents,
  type SocketData,
  TO_SERVER,
} from "../protocol/index.js";
import { type Admission, admit } from "./admission.js";
import { refuseWork } from "./refusedWork.js";
import type { RoundLoop } from "./roundLoop.js";
import type { ServerEvent } from "./serverEvents.js";
import { type ClientSocket, createSessions, type Session } from "./sessions.js";
import type { Uploads } from "./uploads.js";

export type FederationIo = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents, SocketData>;

export interface ClientLinksOptions {
  readonly io: FederationIo;
  readonly runId: string;
  readonly token: string;
  readonly limits: Limits;
  /** Seconds for which a lost session can be resumed. */
  readonly graceSeconds: number;
  readonly loop: () => RoundLoop;
  readonly receiver: PayloadReceiver;
  readonly uploads: () => Uploads;
  readonly onRefused: (code: RefusalCode, message: string, from: string) => void;
  readonly tell: (event: ServerEvent) => void;
  readonly logger: Logger;
}

/** The connections to client processes. */
export interface ClientLinks {
  ofProcess(process: number): Session | undefined;
  /** Numbers of the processes that are connected. */
  connected(): number[];
  /** Ends a session whose process does not answer. */
  hang(session: Session, reason: string): void;
  /** Tells every client that the run is over. Resolves when all have gone, at the latest after `seconds`. */
  farewell(end: End, seconds: number): Promise<void>;
}

/** Lets clients in, and turns what they do into events of the round loop. */
export function createClientLinks(options: ClientLinksOptions): ClientLinks {
  const { io, limits, loop, receiver, uploads, tell, logger } = options;
  const sessions = createSessions();
  let onEmpty: (() => void) | undefined;

  /** Lets a connection in, or throws the refusal, which is counted. */
  const decide = ({ handshake }: ClientSocket): Admission => {
    try {
      return admit(handshake.auth, { token: options.token, federation: loop().state, sessions });
    } catch (error) {
      if (!(error instanceof ConnectionRefusal)) throw error;
      options.onRefused(error.data.code, error.data.message, handshake.address);
      throw error;
    }
  };

  const connected = (session: Session, socket: ClientSocket, resumed: boolean) => {
    socket.data = { session: session.id, process: session.process };
    listen(session, socket);
    socket.emit("welcome", {
      session: session.id,
      run_id: options.runId,
      limits,
      grace_seconds: options.graceSeconds,
    });
    const { process } = session;
    tell({ kind: "client_connected", process, connected: sessions.connected, resumed });
    loop().dispatch({ kind: resumed ? "process_back" : "process_joined", process });
  };
  const begin = (process: number, socket: ClientSocket) => {
    const former = sessions.ofProcess(process);
    if (former !== undefined) gone(former, "it was started again");
    connected(sessions.create(process, socket), socket, false);
  };
  const resume = (session: Session, socket: ClientSocket) => {
    const former = session.socket;
    session.grace.stop();
    session.socket = socket;
    session.sending?.abort();
    uploads().interrupt(session, "The connection was made anew.");
    former?.disconnect(true);
    connected(session, socket, true);
  };
  const disconnected = (process: number, reason: string) => {
    tell({ kind: "client_disconnected", process, connected: sessions.connected, reason });
    if (sessions.connected === 0) onEmpty?.();
  };
  const gone = (session: Session, reason: string) => {
    if (sessions.get(session.id) !== session) return;
    const { socket, process } = session;
    session.socket = null;
    sessions.end(session);
    uploads().interrupt(session, reason);
    if (socket !== null) {
      socket.disconnect(true);
      disconnected(process, reason);
    }
    loop().dispatch({ kind: "process_gone", process, reason });
  };
  const lost = (session: Session, socket: ClientSocket, reason: string) => {
    if (session.socket !== socket || sessions.get(session.id) !== session) return;
    // A client that disconnects by itself means it; a message sent right before may never have been read.
    if (reason === "client namespace disconnect") return gone(session, "it left");
    const { process } = session;
    session.socket = null;
    session.sending?.abort();
    uploads().interrupt(session, "The connection was lost.");
    disconnected(process, reason);
    loop().dispatch({ kind: "process_away", process });
    session.grace.start(options.graceSeconds, () =>
      gone(session, `its connection was lost (${reason}) and did not come back in ${options.graceSeconds} s`),
    );
  };

  const listen = (session: Session, socket: ClientSocket) => {
    const from = `process ${session.process}`;
    openDoor(socket, TO_SERVER, handlersFor(session), {
      reportBytes: limits.report_bytes,
      onRefused: (_event, code, message) => options.onRefused(code, message, from),
      onError: (error) =>
        logger.error(`A message of ${from} could not be worked on: ${sentence(messageOf(error))}`),
    });
    socket.on("disconnect", (reason) => lost(session, socket, reason));
  };
  const handlersFor = (session: Session): Handlers<typeof TO_SERVER> => ({
    progress(message) {
      const refused = refuseWork(loop().state, session.process, message);
      if (refused !== null) return refused;
      const { round, client_id: client, done, total, loss } = message;
      tell({ kind: "progress", round, client, done, total, loss });
      return ACCEPTED;
    },
    report: (message) => uploads().report(session, message),
    chunk: (message, data) => receiver.chunk(session.id, message, data),
    transfer_done: (message) => receiver.done(session.id, message),
    failed(message) {
      const { process } = session;
      const refused = refuseWork(loop().state, process, message);
      if (refused !== null) return refused;
      uploads().interrupt(session, "The member's work failed.");
      const { round, client_id: client, code, message: text } = message;
      loop().dispatch({ kind: "client_failed", round, client, process, code, message: text, retry: true });
      return ACCEPTED;
    },
    leave(message) {
      gone(session, `it left: ${message.reason}`);
      return ACCEPTED;
    },
  });

  io.use((socket, next) => {
    let refusal: unknown;
    try {
      decide(socket);
    } catch (error) {
      refusal = error;
    }
    next(refusal as Error | undefined);
  });
  io.on("connection", (socket) => {
    try {
      // Decided again: of two that were let in at once, only the first may have the identity.
      const { process, resumed } = decide(socket);
      if (resumed === null) begin(process, socket);
      else resume(resumed, socket);
    } catch (error) {
      if (!(error instanceof ConnectionRefusal)) {
        logger.error(`A connection could not be taken: ${sentence(messageOf(error))}`);
      }
      socket.disconnect(true);
    }
  });

  return {
    ofProcess: (process) => sessions.ofProcess(process),
    connected: () =>
      sessions
        .all()
        .filter(({ socket }) => socket !== null)
        .map(({ process }) => process),
    hang(session, reason) {
      logger.warn(`Process ${session.process} does not answer and is disconnected: ${sentence(reason)}`);
      gone(session, `it did not answer: ${reason}`);
    },
    async farewell(end, seconds) {
      for (const session of sessions.all()) session.socket?.emit("end", end);
      if (sessions.connected > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, seconds * 1000);
          onEmpty = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      for (const session of sessions.all()) sessions.end(session);
    },
  };
}
