import { ConnectionRefusal, type Handshake, readHandshake } from "../protocol/index.js";
import type { Federation } from "./rounds/federation.js";
import type { Session, Sessions } from "./sessions.js";

/** What decides about a connection. */
export interface Gate {
  readonly token: string;
  readonly federation: Federation;
  readonly sessions: Sessions;
}

/** A connection that may be made. */
export interface Admission {
  readonly process: number;
  /** The session it had before; null when it gets a new one. */
  readonly resumed: Session | null;
}

/**
 * Decides about a connection, by what the client says in its handshake. Without the token, nothing is told of
 * the run.
 * @throws ConnectionRefusal
 */
export function admit(auth: unknown, { token, federation, sessions }: Gate): Admission {
  const handshake = readHandshake(auth, token);
  const { process, session: id } = handshake;
  if (federation.stage.phase === "closed") throw new ConnectionRefusal("ended", "The run is over.");
  if (id !== undefined) return { process, resumed: sessionOf(process, id, sessions) };
  requireIdentity(handshake, federation);
  if (sessions.ofProcess(process)?.socket) {
    throw new ConnectionRefusal(
      "taken",
      `A client process ${process} is connected already. Give each its own --id.`,
    );
  }
  return { process, resumed: null };
}

function sessionOf(process: number, id: string, sessions: Sessions): Session {
  const session = sessions.get(id);
  if (session === undefined || session.process !== process) {
    throw new ConnectionRefusal("wrong_session", "The session is unknown or over. Connect without one.");
  }
  return session;
}

/** Both ends must mean the same by a client's number. */
function requireIdentity({ process, client_id: client }: Handshake, { rules }: Federation): void {
  const { identities, totalClients } = rules;
  if (identities === "fixed" && (client !== process || process > totalClients)) {
    throw new ConnectionRefusal(
      "foreign",
      `With server.disable_clients = true a client's number is its logical client, from 1 to ${totalClients}; found process ${process} and client ${client ?? "none"}.`,
    );
  }
  if (identities === "simulated" && client !== undefined) {
    throw new ConnectionRefusal(
      "foreign",
      `This run assigns logical clients itself; the client takes itself for client ${client}. Both need the same server.disable_clients.`,
    );
  }
}
